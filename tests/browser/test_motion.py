"""Presets and undo travel to their picture, over states on the way, until the hand takes hold; live and on a page."""
import pytest
from jupyter_page import expect, result_of, settle, wait_for, wait_for_frame, wait_for_prepared, wait_until
from live_figures import shared

from workbook.figures.scripts import HERE, files
from workbook.site import page as pages

START, RIVER = 0.25, 2.0                                # the width at first, and that of the preset
WATCH = """(figure, press) => {
    const slider = figure.querySelector('[name=sigma]'), canvas = figure.querySelector('canvas');
    const said = () => figure.querySelector('.wb-sentence').textContent, first = said();
    [window.seen, window.said, window.pale, window.frames] = [[], null, [], 0];
    window.watch?.disconnect();
    window.watch = new MutationObserver(() => {
        const width = Number(slider.getAttribute('aria-valuetext')), isPale = figure.hasAttribute('data-travels');
        window.frames++;
        if (width !== window.seen.at(-1)) window.seen.push(width);
        if (isPale && said() === first && width !== window.pale.at(-1)) window.pale.push(width);
        if (said() !== first) window.said ??= width;
        if (press && window.seen.length === 2) canvas.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 1 }));
    });
    window.watch.observe(canvas, { attributeFilter: ['data-frame'] });
}"""
PICTURES = """(figure) => {
    const canvas = figure.querySelector('canvas');
    window.seen = new Set();
    window.watch?.disconnect();
    window.watch = new MutationObserver(() => window.seen.add(canvas.toDataURL()));
    window.watch.observe(canvas, { attributeFilter: ['data-frame'] });
}"""


@pytest.fixture(scope="module")
def live(jupyterlab):
    return jupyterlab.show("motion", "from workbook import explore\nfigure = explore.width()\nfigure",
                           "figure.set(sigma=2.0)", "figure.reset()")


@pytest.fixture(params=["live", "recorded"])
def figure(request, jupyterlab):
    """The figure at rest, as at first; of the live one the states on the way have been prepared."""
    source = request.getfixturevalue(request.param)
    page = source.page if request.param == "live" else jupyterlab.another(source.as_uri())
    page.emulate_media(reduced_motion="no-preference")
    figure = page.locator(".wb-figure")
    wait_for_frame(figure.locator("canvas"))
    figure.get_by_role("button", name="reset").click()
    if request.param == "live":
        wait_for_prepared(page, shared("width"))
    settle(figure.locator("canvas"))
    return figure


def at_rest(figure) -> list[float]:
    """The widths that the figure has gone through, at rest."""
    settle(figure.locator("canvas"))
    return figure.page.evaluate("window.seen")


def set_out(figure, press: bool = False) -> None:
    """Press "river" from the start; a press on the picture, if asked for, follows at the second width."""
    figure.get_by_role("button", name="reset").click()
    expect(figure.locator("[name=sigma]")).to_have_attribute("aria-valuetext", f"{START:g}")
    settle(figure.locator("canvas"))
    figure.evaluate(WATCH, press)
    figure.get_by_role("button", name="river").click()


def start_again(figure) -> None:
    """Press reset, and wait until nothing moves any more."""
    figure.get_by_role("button", name="reset").click()
    settle(figure.locator("canvas"))


def test_a_preset_goes_over_the_widths_on_its_way_and_its_sentence_comes_before_its_end(figure):
    def goes() -> dict | None:                              # a busy machine may paint none of the pictures between
        set_out(figure)
        figure.page.wait_for_function("window.said")
        return len(at_rest(figure)) > 3 and result_of(figure.page, "[window.seen, window.pale, window.said]")

    seen, pale, said = wait_until(figure.page, goes, "too few widths on the way")
    assert seen == sorted(seen) and seen[-1] == RIVER
    assert START < said and pale in (seen[:seen.index(said)], seen[:seen.index(said) + 1])      # of before, it is pale
    expect(figure).not_to_have_attribute("data-travels", "")
    expect(figure.locator("[aria-current=true]")).to_have_text("river")


def test_a_press_takes_hold_of_a_figure_where_it_is(figure):
    sigma = shared("width").options["sigma"]

    def held() -> float | None:                             # nor may it in time for the press
        set_out(figure, press=True)
        settle(figure.locator("canvas"))
        key = figure.locator("canvas").get_attribute("data-key").split(",")
        width = sigma[int(key[[*shared("width").options].index("sigma")])]
        return START < width < RIVER and width

    width = wait_until(figure.page, held, "it went to its end, or stayed at its beginning")
    expect(figure.locator("[name=sigma]")).to_have_attribute("aria-valuetext", f"{width:g}")


def test_a_point_that_is_taken_back_glides(figure):
    canvas = figure.locator("canvas")

    def glides() -> bool:
        for key in ("p", "Shift+ArrowUp", "Shift+ArrowUp"):
            canvas.press(key)
        expect(figure.get_by_role("button", name="undo")).to_be_enabled()
        settle(canvas)
        figure.evaluate(PICTURES)
        figure.get_by_role("button", name="undo").click()
        expect(figure.get_by_role("button", name="undo")).to_be_disabled()
        settle(canvas)
        return result_of(figure.page, "window.seen.size > 3")

    wait_until(figure.page, glides, "no pictures between")


def test_nothing_glides_where_less_motion_is_asked_for(figure):
    figure.page.emulate_media(reduced_motion="reduce")
    figure.evaluate(WATCH, False)
    figure.get_by_role("button", name="river").click()
    wait_for(figure.page, lambda: at_rest(figure), [RIVER])
    figure.page.emulate_media(reduced_motion="no-preference")


def test_a_new_sample_glides_and_its_slider_does_not_go_back(live):
    figure = live.page.locator(".wb-figure")
    figure.locator(".wb-fold").click()
    seed = figure.get_by_role("slider", name="seed")
    seed.evaluate("""(slider) => {
        new MutationObserver(() => window.seeds.push(Number(slider.value))).observe(slider, { attributes: true });
        slider.addEventListener('input', () => requestAnimationFrame(() => window.seeds.push(Number(slider.value))));
    }""")

    def glides() -> bool:                                   # a busy machine may paint none of the pictures between
        start_again(figure)
        figure.evaluate(PICTURES)
        live.page.evaluate("window.seeds = []")
        for _ in range(3):
            seed.press("ArrowRight")
        live.page.wait_for_function("window.seeds.at(-1) === 3")
        settle(figure.locator("canvas"))
        live.page.wait_for_function("window.seeds.every((seed, i, all) => i === 0 || all[i - 1] <= seed)")
        return live.page.evaluate("window.seen.size > 3")

    wait_until(live.page, glides, "no pictures between those of the samples")
    figure.locator(".wb-fold").click()


def test_what_python_sets_glides_as_well(live):
    figure = live.page.locator(".wb-figure")
    figure.get_by_role("button", name="reset").click()
    for cell, end in ((2, RIVER), (3, START)):
        settle(figure.locator("canvas"))
        figure.evaluate(WATCH, False)
        live.run_cell(cell)
        wait_for(live.page, lambda end=end: len(seen := at_rest(figure)) > 1 and seen[-1], end)


def recorded(jupyterlab, folder, name: str):
    """A page with the recording of this figure, and its figure once it is drawn."""
    (path := folder / f"{name}.html").write_text(pages.page(name, states=60), encoding="utf-8")
    page = jupyterlab.another(path.as_uri())
    wait_for_frame(page.locator(".wb-canvas"))
    return page, page.locator(".wb-figure")


def test_a_preset_says_each_step_at_which_play_rests(jupyterlab, tmp_path):
    page, figure = recorded(jupyterlab, tmp_path, "morph")

    def goes() -> bool:                                     # a busy machine may paint nothing of a step
        start_again(figure)
        figure.evaluate("""(figure) => {
            const words = figure.querySelector('.wb-sentence'), step = figure.querySelector('[name=step]');
            [window.said, window.seen] = [[], {}];
            new MutationObserver(() => {
                const at = step.getAttribute('aria-valuetext');
                window.seen[at] = (window.seen[at] ?? 0) + 1;
            }).observe(figure.querySelector('canvas'), { attributeFilter: ['data-frame'] });
            new MutationObserver(() => window.said.push(words.textContent.slice(0, 6))).observe(words, {
                childList: true, characterData: true, subtree: true });
        }""")
        figure.get_by_role("button", name="drop the keys' own term").click()
        settle(figure.locator("canvas"))
        rests = page.evaluate("""
            [1, 2].every((step) => window.seen[step] > 3 * (window.seen[step + 0.5] ?? 0))""")
        return rests and result_of(page, "[...new Set(window.said)]") == ["Step 1", "Step 2", "Step 3"]

    wait_until(page, goes, "not each step was said, or it did not rest there")


def test_no_slider_glides_where_a_menu_turns(jupyterlab, tmp_path):
    page, figure = recorded(jupyterlab, tmp_path, "landscape")

    def goes() -> bool:                                     # a busy machine may paint nothing on the way
        start_again(figure)
        figure.evaluate(WATCH.replace("[name=sigma]", "[name=step]"), False)
        figure.get_by_role("button", name="SGD jumps").click()
        page.wait_for_function("window.said !== null")
        settle(figure.locator("canvas"))
        return page.evaluate("window.frames > 3")

    wait_until(page, goes, "no pictures on the way")
    assert result_of(page, "window.seen") == [1]


WIDE, START_QUERY = "wide, at the border", 2.0
TWO = """(figure) => {
    const [query, sigma] = ['query', 'sigma'].map((name) => figure.querySelector(`[name=${name}]`));
    [window.seen, window.marked] = [[], new Set()];
    new MutationObserver(() => {
        window.seen.push([query, sigma].map((slider) => Number(slider.getAttribute('aria-valuetext'))));
        window.marked.add(figure.querySelector('[aria-current=true]')?.textContent);
    }).observe(figure.querySelector('canvas'), { attributeFilter: ['data-frame'] });
}"""


def test_a_preset_moves_its_first_slider_first_and_its_button_is_marked_meanwhile(jupyterlab, tmp_path):
    page, figure = recorded(jupyterlab, tmp_path, "borders")

    def goes() -> bool:                                     # a busy machine may paint nothing on the way
        start_again(figure)
        figure.evaluate(TWO)
        figure.get_by_role("button", name=WIDE).click()
        page.wait_for_function("window.seen.at(-1)?.join() === '0,1.2'")
        settle(figure.locator("canvas"))
        seen, marked = page.evaluate("[window.seen, [...window.marked]]")
        first, then = ([at for at in seen if (at[1] == 0.4) is is_first] for is_first in (True, False))
        in_turn = {query for query, _ in then} == {0} and first[-1] == [0, 0.4]
        return in_turn and len(first) > 3 and len(then) > 3 and marked == [WIDE]

    wait_until(page, goes, "too few pictures, both at once, or another button was marked")


def test_a_press_on_the_picture_keeps_the_rest_of_a_preset_from_coming(jupyterlab, tmp_path):
    page, figure = recorded(jupyterlab, tmp_path, "borders")

    def held() -> bool:                                     # a busy machine may press too late
        start_again(figure)
        figure.get_by_role("button", name=WIDE).click()
        figure.locator("canvas").dispatch_event("pointerdown", {"pointerId": 1})
        page.wait_for_timeout(3_000)                        # more than twice as long as it rests there
        query, width = page.evaluate(
            "['query', 'sigma'].map((name) => Number(document.querySelector(`[name=${name}]`).ariaValueText))")
        return query < START_QUERY and width == 0.4

    wait_until(page, held, "it did not set out, or went on")
    expect(figure.get_by_role("button", name=WIDE)).not_to_have_attribute("aria-current", "true")


FADE = """() => {
    const player = new Player(document.querySelector('canvas'));
    player.held = [Uint8Array.from([10, 0, 10, 0, ...Array(100).fill(255)])]; // a letter
    const square = (left, ...codes) => [["path", ["#000000ff", 0, 0, 0, 0, "butt", "miter", 0],
        Int16Array.of(left, left + 80, left + 80, left), Int16Array.of(0, 0, 80, 80), Uint8Array.from(codes)]];
    const word = (text, left) => [["words", 0, "#000000ff", Int16Array.of(left), Int16Array.of(0), text, 0]];
    const inked = (from, to, isQuick) => [0.125, 0.3, 0.75].map((share) => {
        player.context.clearRect(0, 0, 20, 10);
        player.put([mix(from, to, { share, isQuick, array: (part) => part, lines: [] })]);
        return [8, 18].map((x) => Math.round(player.context.getImageData(x, 5, 1, 1).data[3] / 127));
    });
    const squares = [square(0, 1, 2, 2, 2), square(80, 1, 2, 2, 79)], note = ["note", ""];
    return [inked(...squares), inked(...squares, true), inked(squares[0], []),
            inked([note, ...word("too narrow", 0)], [note, ...word("no key", 10)]),
            inked([...word("0.2", 10), ...word("weight", 0)], word("weight", 0))];
}"""
RIDE = """() => {
    const line = [[0, 400, 800], [0, 1600, 0]].map((all) => Int16Array.from(all));
    const mark = (x) => [["stamp", ["#000000ff"], 0, 0, 0, Int16Array.of(x), Int16Array.of(800), -1, -1]];
    const run = (...all) => [all, all.map(() => 800)].map((side) => Int16Array.from(side));
    return [[[line, line]], [[line, line], [run(200), run(200, 600)]]].map((lines) => [0.25, 0.5].map((share) => {
        const [[, , , , , across, up]] = mix(mark(200), mark(600), { share, array: (part) => part, lines });
        return [across[0], up[0]];
    }));
}"""
GROW = """() => {
    const mark = (...outline) => [["stamp", ["#000000ff"], Int16Array.from(outline), Int16Array.from(outline),
        Uint8Array.from([1, 2, 79]), Int16Array.of(0), Int16Array.of(0), -1, -1]];
    const codes = mark(0)[0][4], shaped = (outline) => mark(...outline).map((shape) => shape.with(4, codes));
    const [[, , outline]] = mix(shaped([0, 40, 40]), shaped([0, 80, 80]),
        { share: 0.25, array: (part) => part, lines: [] });
    return [...outline];
}"""
SAID = """() => {
    const player = new Player(document.querySelector('canvas'));
    return [0.25, 0.7, 0.75].map((share) => {
        const way = { from: [0, [], "before"], to: [0, [], "after"], share };
        return [way, { ...way }].map((whole) => player.between(way, whole)[2]);
    });
}"""


@pytest.fixture
def player(jupyterlab):
    page = jupyterlab.another()
    page.set_content("<canvas width='20' height='10'></canvas>")
    page.add_script_tag(content=files(HERE, "player.js", "motion.js"))
    return page


def test_what_goes_is_gone_before_what_comes_in_its_place(player):
    """How dark it is at two places, from 0 to 2: at an eighth, three tenths and three quarters of the way."""
    shapes, quick, removed, note, ticks = result_of(player, FADE)
    assert shapes == note == [[1, 0], [0, 0], [0, 1]]
    assert quick == [[2, 0], [2, 0], [0, 2]]
    assert removed == [[1, 0], [0, 0], [0, 0]]
    assert ticks == [[2, 1], [2, 0], [2, 0]]            # the name of the axis stays


def test_a_mark_goes_along_the_curve_on_which_it_stands_or_with_the_end_of_a_line_that_goes_on(player):
    assert result_of(player, RIDE) == [[[300, 1200], [400, 1600]], [[300, 800], [400, 800]]]


def test_a_mark_of_another_size_grows_on_its_way(player):
    assert result_of(player, GROW) == [0, 50, 50]


def test_the_sentence_comes_when_its_numbers_are_nearly_those_of_the_picture(player):
    assert result_of(player, SAID) == [["before"] * 2, ["before"] * 2, ["after"] * 2]


def test_the_hand_stays_at_its_handle_between_two_positions(player):
    assert result_of(player, "handleIn({ box: [0, 0, 9, 9], x: [10, 20] }, 0.5)") == [15, 9]


def test_a_click_far_away_on_a_slider_glides_and_a_drag_does_not(figure):
    slider = figure.locator("[name=sigma]")
    move = "(slider, to) => { slider.value = to; slider.dispatchEvent(new InputEvent('input')); }"
    for to, pictures in (("999", 4), ("0", 1)):         # without a `change` between, the second is a drag
        figure.evaluate(PICTURES)
        slider.evaluate(move, to)
        figure.page.wait_for_function("count => window.seen.size >= count", arg=pictures)
        settle(figure.locator("canvas"))
    wait_for(figure.page, lambda: figure.page.evaluate("window.seen.size") < 3, True)
    slider.dispatch_event("change")
