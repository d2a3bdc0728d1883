"""Only the points and their values are told by position; everything else has a name."""
import inspect

import pytest

import nwlab
from nwlab import attention

BY_POSITION = {
    "attention_scores": "queries keys", "attention_weights": "queries keys", "nearest_weights": "queries keys",
    "local_linear_weights": "queries keys", "parzen_density": "queries keys", "neighbour_bandwidth": "queries keys",
    "nadaraya_watson": "queries keys values", "local_linear": "queries keys values",
    "nearest_pooling": "queries keys values", "average_pooling": "queries values", "loo_error": "keys values",
    "select_bandwidth": "keys values", "adaptive_bandwidth": "keys", "from_arrays": "keys values",
    "read_csv": "path key value", "augmented": "queries keys",
}


@pytest.mark.parametrize("name", BY_POSITION)
def test_what_follows_the_points_and_their_values_is_named(name):
    function, wanted = getattr(nwlab, name, None) or getattr(attention, name), BY_POSITION[name].split()
    parameters = inspect.signature(function).parameters.values()
    assert [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD] == wanted
    if len(parameters) > len(wanted):
        n = len(wanted)
        with pytest.raises(TypeError, match=rf"{name}\(\) takes .*{n} positional .* {n + 1} .*given"):
            function(*[[0.0, 1.0]] * n, 0.5)
