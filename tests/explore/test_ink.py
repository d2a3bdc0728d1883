"""Words as the page gets them: the same ink and the same size, whether put together from digits or drawn at once."""
import numpy as np
import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties

from workbook.figures import ink
from workbook.figures.ink import Writer

pytestmark = pytest.mark.skipif(ink.PARTS.match("12").end() == 2, reason="here letters stand on whole pixels")
SAID = ("0.123", "−0.14", "other 46", "≥ 0.05", "±0.30", "0.02 to 0.31", "α = K / 5.33, the sum of K", "100.5", "k = 5")


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("weight", ["normal", "bold"])
def test_a_number_put_together_is_the_number_drawn(monkeypatch, said, weight):
    prop = FontProperties(family="DejaVu Sans", size=9, weight=weight)
    agg, plain, writer = (kind(300, 40, 100) for kind in (RendererAgg, Writer, Writer))
    sizes = [each.get_text_width_height_descent(said, prop, False) for each in (writer, agg)]
    assert sizes[0] == sizes[1]
    for x in (0.0, 0.25, 0.75):
        made = writer.ink(x, 0.5, writer.new_gc(), said, prop, 0.0, False, None)
        with monkeypatch.context() as patch:
            patch.setattr(ink, "PARTS", ink.re.compile(".+"))
            drawn = plain.ink(x, 0.5, plain.new_gc(), said, prop, 0.0, False, None)
        assert len(made.letters) > 1
        np.testing.assert_array_equal(whole(made), whole(drawn))


def whole(made) -> np.ndarray:
    """All letters of words in one picture."""
    picture = np.zeros((100, 400), dtype=np.uint8)
    for letter, left, top in made.letters:
        columns, rows = np.frombuffer(letter[:4], "<u2")
        part = picture[50 + top:50 + top + rows, 50 + left:50 + left + columns]
        np.maximum(part, np.frombuffer(letter[4:], np.uint8).reshape(rows, columns), out=part)
    assert picture.any()
    return picture
