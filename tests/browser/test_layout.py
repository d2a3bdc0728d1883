"""All live figures in a small window: whole, controls in columns, few stops before the picture, the rest folded."""
import pytest
from jupyter_page import frame_of, wait_until, write_notebook

from nwlab import explore

HIGHEST, STOPS = 600, 6                 # pixels of all; stops of the Tab key before the picture
MEASURE = """(box) => {
  const figure = box.querySelector('.widget-vbox'), canvas = box.querySelector('.nwlab-canvas');
  const edges = (selector) => [...figure.querySelectorAll('.nwlab-controls > .widget-hslider ' + selector)]
    .map((each) => each.getBoundingClientRect()).map(({left, right}) => [Math.round(left), Math.round(right)]);
  const stops = [...figure.querySelectorAll('button, input, select, [tabindex]')].filter((each) =>
    each.tabIndex >= 0 && !each.disabled && each.checkVisibility({visibilityProperty: true}));
  return {
    room: canvas.parentElement.clientWidth, width: canvas.clientWidth, drawn: canvas.width,
    height: figure.getBoundingClientRect().height, stops: stops.indexOf(canvas),
    tracks: edges('.slider-container'), numbers: edges('.widget-readout'),
    cut: [...figure.querySelectorAll('.widget-label, .widget-readout')].filter((each) =>
      each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent),
  };
}"""


@pytest.fixture(scope="module")
def window(jupyterlab, scratch):
    """All of them in one notebook, in a window of 900 by 700 pixels without the side bar."""
    write_notebook(scratch / "figures.ipynb", *(f"from nwlab import explore\nexplore.{name}()"
                                                for name in explore.__all__))
    lab = jupyterlab.open("figures.ipynb", width=900, height=700)
    collapsed = lab.page.evaluate("window.jupyterapp.shell.leftCollapsed")
    if not collapsed:
        lab.command("application:toggle-left-area")
    lab.run_all()
    yield lab
    if not collapsed:
        lab.command("application:toggle-left-area")


@pytest.mark.parametrize("name", explore.__all__)
def test_it_is_seen_whole_and_the_picture_is_soon_reached(window, name):
    box = window.explorers.nth(explore.__all__.index(name))
    canvas = box.locator(".nwlab-canvas")
    canvas.scroll_into_view_if_needed()
    wait_until(window.page, lambda: frame_of(canvas), "no picture", 60)
    wait_until(window.page, lambda: box.evaluate(MEASURE)["stops"] <= STOPS, "too many stops before the picture")
    seen = box.evaluate(MEASURE)
    assert seen["width"] == seen["drawn"] == seen["room"] < 800
    assert seen["height"] <= HIGHEST
    assert seen["cut"] == []
    columns = {left for left, _ in seen["tracks"]}, {right for _, right in seen["numbers"]}
    assert len(seen["tracks"]) == 1 or all(len(places) <= 3 for places in columns), "controls do not stand in columns"


@pytest.mark.parametrize("name", ["width", "landscape"])
def test_what_is_folded_unfolds(window, name):
    box = window.explorers.nth(explore.__all__.index(name))
    fold, seed = box.locator(".nwlab-fold"), box.locator(".nwlab-more").get_by_text("seed", exact=True)
    fold.scroll_into_view_if_needed()
    assert not seed.is_visible() and fold.get_attribute("aria-expanded") == "false"
    assert fold.text_content() == "data and more"
    fold.press("Enter")
    seed.wait_for(state="visible")
    window.page.wait_for_function("(fold) => fold.ariaExpanded === 'true'", arg=fold.element_handle())
    assert box.evaluate(MEASURE)["cut"] == []
    fold.press("Enter")
    seed.wait_for(state="hidden")


def test_arrow_keys_go_along_a_row_of_buttons(window):
    box = window.explorers.nth(explore.__all__.index("width"))
    first, second = (box.get_by_role("button", name=name) for name in ("needle", "just right"))
    first.focus()
    first.press("ArrowRight")
    assert second.evaluate("(button) => button === document.activeElement && button.tabIndex === 0")
    assert first.evaluate("(button) => button.tabIndex") == -1
    second.press("ArrowLeft")
    assert first.evaluate("(button) => button === document.activeElement")
