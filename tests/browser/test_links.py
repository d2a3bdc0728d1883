"""A figure's controls from outside: Python sets them, links move them, people type them, keys stay in the figure."""
from jupyter_page import CONTENT, expect, wait_for

LINKED = """import ipywidgets, nwlab
from IPython.display import display
from workbook import explore
figure = explore.width()
slider = ipywidgets.FloatSlider(0.25, min=0.02, max=5, step=0.001, readout_format=".3f")
heard = []
figure.observe(lambda change: heard.append(change.new), "sigma")
display(ipywidgets.jslink((slider, "value"), (figure, "sigma")), slider, figure)"""
TELL = "print(figure.sigma, figure.kernel if isinstance(figure.kernel, str) else figure.kernel.name, heard[-1:])"
CELLS = (LINKED, TELL, "figure.sigma = 0.7",
         'figure.set(kernel=nwlab.Kernel("cauchy", "1 / (1 + u**2)"), query=3)', "figure")


def sigma(lab):
    return lab.page.get_by_role("slider", name="width σ").first


def wait_for_sigma(lab, value: str) -> None:
    """Wait until the slider, the picture and Python are there."""
    expect(sigma(lab)).to_have_attribute("aria-valuetext", value)
    wait_for(lab.page, lambda: lab.printed(2).split()[0], value)
    wait_for(lab.page, lambda: lab.canvas.get_attribute("data-key").split(",")[0], sigma(lab).input_value())


def test_a_slider_of_a_readers_own_moves_with_the_figure_and_the_figure_with_it(lab):
    """Between two options the figure takes the nearest; Python's observers hear of it."""
    own = lab.page.locator(".widget-readout")
    expect(own).to_have_text("0.250")
    for _ in range(3):
        sigma(lab).press("ArrowRight")
    expect(own).to_have_text("0.280")
    own.click()
    own.press("Control+a")
    lab.page.keyboard.type("0.3551")
    lab.page.keyboard.press("Enter")
    wait_for_sigma(lab, "0.36")
    expect(own).to_have_text("0.360")
    wait_for(lab.page, lambda: lab.printed(2).strip().endswith("[0.36]"), True)


def test_python_moves_the_figure_and_a_kernel_of_a_readers_own_is_in_the_menu(lab):
    lab.run_cell(3)
    wait_for_sigma(lab, "0.7")
    lab.run_cell(4)
    menu = lab.page.locator(".wb-more select", has_text="boxcar").first
    expect(menu.locator("option:checked")).to_have_text("cauchy")
    expect(lab.page.get_by_role("slider", name="query x").first).to_have_attribute("aria-valuetext", "3.00")
    lab.page.locator(".wb-fold").first.click()
    for kernel in ("boxcar", "cauchy"):
        menu.select_option(kernel)
        wait_for(lab.page, lambda kernel=kernel: lab.printed(2).split()[1], kernel)
    lab.page.locator(".wb-fold").first.click()
    expect(lab.page.locator(".wb-late:visible")).to_have_count(0)


def test_a_value_can_be_typed_and_only_enter_takes_it(lab):
    field = lab.page.get_by_role("textbox", name="width σ, to be typed").first
    for typed, key, value in (("0,5", "Enter", "0.5"), ("2", "Escape", "0.5"), ("x", "Enter", "0.5"),
                              ("1/8", "Enter", "0.125")):
        sigma(lab).focus()
        if typed == "x":
            field.click()
        lab.page.keyboard.type(typed)                   # a digit on the slider begins a number
        lab.page.keyboard.press(key)
        expect(sigma(lab)).to_be_focused()
        expect(field).to_have_value(value)
        wait_for_sigma(lab, value)


def test_keys_in_a_figure_move_no_cell_and_another_view_follows(lab):
    active = f"() => {CONTENT}.activeCellIndex"
    lab.run_cell(5)
    lab.page.evaluate(f"{CONTENT}.activeCellIndex = 1; {CONTENT}.mode = 'command'")
    for key in ("ArrowUp", "ArrowDown", "Home", "ArrowRight", "PageDown", "End"):
        sigma(lab).press(key)
    expect(sigma(lab)).to_have_attribute("aria-valuetext", "5")
    wait_for(lab.page, lambda: lab.page.evaluate(active), 1)
    cells = lab.page.evaluate(f"{CONTENT}.widgets.length")
    for key in ("d", "d", "a", "b"):
        lab.page.get_by_role("button", name="needle").first.press(key)
    first, second = (lab.page.get_by_role("slider", name="width σ").nth(number) for number in (0, 1))
    second.press("ArrowLeft")
    expect(first).to_have_attribute("aria-valuetext", second.get_attribute("aria-valuetext"))
    wait_for_sigma(lab, second.get_attribute("aria-valuetext"))
    wait_for(lab.page, lambda: lab.page.evaluate(f"{CONTENT}.widgets.length"), cells)       # Python has answered since
