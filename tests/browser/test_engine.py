"""What only a browser can show of the engine: nothing accumulates, cells replace their figures, no move is lost."""
import re

from jupyter_page import expect, picture, result_of, settle, wait_for, wait_for_frame, wait_for_prepared, wait_until
from live_figures import apart, decoded, shared

LIVE = """from workbook import explore
figure, heard = explore.width(), []
figure.observe(lambda change: heard.append(f"{change.new:g}"), "sigma")
figure.on_msg(lambda _, message, __: message["type"] == "points" and heard.append("point"))
figure"""
BUSY = """from workbook import explore
import pathlib, time
from IPython.display import display
display(explore.width())
while not pathlib.Path('seen').exists():
    time.sleep(0.1)"""
SILENT = """import pathlib, time
with figure.lock:
    pathlib.Path('begun').touch()
    while not pathlib.Path('enough').exists():
        time.sleep(0.02)"""
COUNT = """import gc
from ipywidgets.widgets import widget
from matplotlib.axis import Tick
gc.collect()
drawn = figure.scene.figure
artists = {*drawn.findobj()} - {part for tick in drawn.findobj(Tick) for part in tick.findobj()}
print(len(widget._instances), len(artists), figure.state["sigma"], *heard)"""
CELLS = LIVE, COUNT, BUSY, SILENT
SENTENCE = "document.querySelector('.wb-sentence').textContent"


def _counted(lab) -> list[str]:
    """How many widgets and artists the kernel holds, the width that it knows, and what it has heard. Ticks are not
    counted: an axis keeps those that it once needed."""
    return lab.printed(2).split()


def _hold_up(lab, folder):
    """Run the cell that lets Python paint nothing until the file that is returned is there."""
    begun, enough = folder / "begun", folder / "enough"
    for file in (begun, enough):
        file.unlink(missing_ok=True)
    lab.run_cell(4, wait=False)
    wait_until(lab.page, begun.exists, "the kernel does not run the cell")
    return enough


def test_nothing_piles_up_after_eighty_moves_and_two_more_runs(lab):
    handle = lab.page.get_by_role("slider", name="width σ")
    for _ in range(10):                                   # caches fill before the count starts
        handle.press("ArrowRight")
    settle(lab.canvas)
    wait_for_prepared(lab.page, shared("width"))
    held = _counted(lab)[:2]
    start = settle(lab.canvas)
    for i in range(80):
        handle.press("ArrowLeft" if i % 40 < 20 else "ArrowRight")
    frames = wait_for_frame(lab.canvas, after=start) and settle(lab.canvas) - start
    assert 0 < frames <= 160                            # each state once, and at most once on the way to it
    wait_for(lab.page, lambda: _counted(lab)[:2], held)
    for _ in range(2):                                    # a cell that is run again replaces its figure
        lab.run_cell(1)
        wait_for_frame(lab.canvas)
        settle(lab.canvas)
    expect(lab.page.locator(".wb-canvas")).to_have_count(1)
    wait_for(lab.page, lambda: _counted(lab)[:2], held)
    lab.assert_nothing_failed()


COUNT_MOVES_SENT = """() => {
    const send = WebSocket.prototype.send;
    window.sent = 0;
    window.countNoMore = () => { WebSocket.prototype.send = send; };
    WebSocket.prototype.send = function (message) {
        window.sent += typeof message !== 'string' && new TextDecoder().decode(message).includes('"method":"update"');
        return send.call(this, message);
    };
}"""


def test_a_slider_never_goes_back_while_it_is_moved_and_the_figure_ends_where_it_does(lab, scratch):
    """Python is held up at first, and then answers to earlier positions while the page has some of the frames. The last
    picture is the one that is drawn from scratch."""
    page = lab.page
    lab.run_cell(1)
    page.wait_for_function("document.querySelector('.wb-canvas').dataset.prepared > 1")
    enough = _hold_up(lab, scratch)
    handle, inverse = (page.get_by_role("slider", name=name, include_hidden=True) for name in ("width σ", "w = 1/σ"))
    handle.evaluate("""(handle) => {
        window.shown = [];
        new MutationObserver(() => window.shown.push(Number(handle.getAttribute("aria-valuetext"))))
            .observe(handle, { attributes: true });
    }""")
    page.evaluate(COUNT_MOVES_SENT)
    for _ in range(10):
        sent = page.evaluate("window.sent")
        handle.press("ArrowRight")
        page.wait_for_function("sent => window.sent > sent", arg=sent)          # a short rest: Python is told
        enough.touch()
        for _ in range(4):
            handle.press("ArrowRight")
    page.evaluate("window.countNoMore()")
    end = shared("width").options["sigma"]
    sigma = end[end.index(0.25) + 50]
    wait_for(page, lambda: float(_counted(lab)[2]), sigma)                      # Python ends where the slider does
    last = [f"{sigma:g}", f"{1 / sigma:.3g}"]
    wait_for(page, lambda: [one.get_attribute("aria-valuetext") for one in (handle, inverse)], last)
    page.wait_for_function("window.shown.length && window.shown.every((one, i, all) => i === 0 || all[i - 1] <= one)")
    frame = settle(lab.canvas)
    fast = picture(lab.canvas)
    for width, same in ((1000, False), (1400, True)):
        page.set_viewport_size({"width": width, "height": 900})
        wait_for_frame(lab.canvas, after=frame)
        frame = settle(lab.canvas)
        wait_until(page, lambda same=same: (picture(lab.canvas) == fast) == same, f"wrong picture at {width}")


PRESS = """(slider) => {
    const send = WebSocket.prototype.send;
    let sent = 0;
    WebSocket.prototype.send = function (...message) {
        sent++;
        return send.apply(this, message);
    };
    for (let i = 0; i < 5; i++) {
        slider.stepUp();
        slider.dispatchEvent(new InputEvent('input'));
    }
    if (sent) throw new Error('Python hears of a slider that moves');
    slider.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));
    WebSocket.prototype.send = send;
    if (!sent) throw new Error('Python does not hear of what was moved before');
}"""


def test_python_hears_of_a_slider_when_it_rests_and_of_everything_in_order(lab, scratch):
    """Five moves send nothing while the page has their pictures, until something else is done. And while Python is held
    up no control overtakes a point, nor a point a control; the steps of one gesture are told as one."""
    page, sigma = lab.page, lab.page.get_by_role("slider", name="width σ")
    before = page.evaluate(SENTENCE)
    wait_for_prepared(page, shared("width"))
    count = len(_counted(lab))
    result_of(sigma, PRESS)
    wait_for(page, lambda: _counted(lab)[count:], ["0.3"])
    sigma.press("ArrowRight")
    wait_for(page, lambda: _counted(lab)[count + 1:], ["0.31"])
    enough = _hold_up(lab, scratch)
    for place, keys in ((lab.canvas, ("p", *3 * ["ArrowUp"])), (sigma, ["ArrowRight"]), (lab.canvas, ("p", "ArrowUp"))):
        for key in keys:                                # the first step is sent, and then all others as one
            place.press(key)
    page.get_by_role("button", name="reset").click()
    enough.touch()
    wait_for(page, lambda: _counted(lab)[count + 2:], ["point", "point", "0.32", "point", "0.25", "point"])
    expect(page.locator(".wb-sentence")).to_have_text(before)
    expect(page.get_by_role("button", name="undo")).to_be_disabled()


def test_the_page_follows_the_hand_without_the_kernel_and_says_when_it_cannot(lab, scratch):
    """The kernel does not answer: states that were prepared are shown all the same, others are marked as late."""
    page, late = lab.page, "[data-late=true]"
    wait_for_prepared(page, shared("width"))
    enough = _hold_up(lab, scratch)
    sigma, query = (page.get_by_role("slider", name=name) for name in ("width σ", "query x"))
    for handle in (sigma, query):
        before = page.evaluate(SENTENCE)
        for _ in range(5):
            handle.press("ArrowRight")
        page.wait_for_function(f"{SENTENCE} !== {before!r} && document.querySelector('{late}') === null")
        for _ in range(5):
            handle.press("ArrowLeft")
        page.wait_for_function(f"{SENTENCE} === {before!r}")
    before = page.evaluate(SENTENCE)
    page.locator(".wb-fold").click()
    page.get_by_role("slider", name="seed").press("ArrowRight")                     # another seed: a new sample
    expect(page.locator(f"{late} > .wb-late")).to_be_visible()
    expect(page.locator(".wb-sentence")).to_have_text(before)
    enough.touch()
    page.wait_for_function(f"{SENTENCE} !== {before!r} && document.querySelector('{late}') === null")


def test_a_figure_lives_although_its_program_began_late(lab):
    """anywidget then gives up on its model, which never hears Python again."""
    lab.page.evaluate("""() => {
        const { timeout } = AbortSignal;
        AbortSignal.timeout = () => timeout.call(AbortSignal, 0);
        window.giveTime = () => { AbortSignal.timeout = timeout; };
    }""")
    lab.run_cell(1)
    wait_until(lab.page, lambda: any("initialize" in problem for problem in lab.problems), "nothing was given up")
    wait_for_frame(lab.canvas)
    lab.page.evaluate("window.giveTime()")
    before = lab.page.evaluate(SENTENCE)
    lab.page.get_by_role("slider", name="width σ").press("ArrowRight")
    expect(lab.page.locator(".wb-sentence")).not_to_have_text(before)
    lab.run_cell(1)                                         # each message to that model was one more problem
    settle(lab.canvas)
    lab.problems.clear()


def test_a_moved_point_is_drawn_before_python_answers_and_then_as_python_draws_it(lab, scratch):
    canvas, before, after = lab.canvas, lab.page.evaluate(SENTENCE), "(one) => one.toDataURL()"
    wait_for_prepared(lab.page, shared("width"))
    enough, unmoved = _hold_up(lab, scratch), canvas.evaluate(after)
    for key in ("p", *4 * ["Shift+ArrowUp"], "Escape"):
        canvas.press(key)
    wait_until(lab.page, lambda: apart(canvas.evaluate(after), decoded(unmoved))[1].max() > 40, "no point has moved")
    settle(canvas)
    by_page = decoded(canvas.evaluate(after))
    expect(lab.page.locator(".wb-sentence")).to_have_text(before)
    enough.touch()
    expect(lab.page.locator(".wb-sentence")).not_to_have_text(before)

    def off() -> float:
        blocks = apart(canvas.evaluate(after), by_page)[1]
        rows, columns = blocks.shape
        blocks[rows // 2:, columns * 5 // 9:] = 0           # the errors, for which a hand would have to wait
        return blocks.max()

    wait_until(lab.page, lambda: off() < 20, "Python draws something else")


def test_a_figure_is_not_empty_while_the_kernel_runs_other_cells(lab, scratch):
    """Run All in a long notebook keeps the kernel busy: until the first frame picture and sentence of the output
    are shown, and what the reader moves meanwhile is there with it."""
    lab.command("notebook:clear-all-cell-outputs")
    lab.run_cell(3, wait=False)
    lab.page.wait_for_function("""async () => {
        const [, address] = /url\\("(.+)"\\)/.exec(document.querySelector('.wb-canvas')?.style.background) ?? [];
        const image = Object.assign(new Image(), { src: address ?? '' });
        return address && image.decode().then(() => image.width === 900);
    }""")
    expect(lab.page.locator(".wb-sentence")).to_have_text(re.compile("."))
    sigma, value = lab.page.locator("[type=range]").first, lab.page.locator(".wb-typed").first
    before = sigma.input_value()
    sigma.press("ArrowRight")
    expect(sigma).to_have_value(str(int(before) + 1))
    expect(value).to_have_value(re.compile(r"^[\d.]+$"))
    expect(lab.canvas).not_to_have_attribute("data-frame", re.compile(""))      # the kernel is busy
    (scratch / "seen").touch()
    wait_for_frame(lab.canvas)
    wait_for(lab.page, lambda: lab.canvas.get_attribute("data-key").split(",")[0], sigma.input_value())
    expect(lab.canvas).to_have_css("background-image", "none")


def test_a_figure_whose_kernel_was_restarted_says_what_to_do(lab):
    """At once, and still after a click: what the kernel was asked just before its end is never answered."""
    lab.restart()
    for _ in range(2):
        lab.page.wait_for_function(f"{SENTENCE}.includes('run its cell again')")
        lab.canvas.click()
