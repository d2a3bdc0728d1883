"""A lesson in Chinese in JupyterLab: its kernel begins in the folder zh, and so all that answers speaks Chinese."""
from jupyter_page import wait_for, wait_until

from workbook.questions import kept

SHOWN = "() => [...document.querySelectorAll('.wb-figure, .wb-ask')].map((one) => one.innerText)"


def chinese(words: str) -> bool:
    letters = [letter for letter in words if letter.isalpha()]
    return sum(letter.isascii() for letter in letters) <= 0.4 * len(letters)


def test_a_chinese_lesson_answers_in_chinese(jupyterlab, scratch):
    lab = jupyterlab.open("notebooks/zh/00_start_here.ipynb")
    lab.run_all()
    page = lab.page

    def shows(*words: str) -> None:
        """Until these words are there, and every figure and question is mostly Chinese."""
        wait_until(page, lambda: all(word in " ".join(page.evaluate(SHOWN)) for word in words)
                   and all(map(chinese, page.evaluate(SHOWN))), lambda: page.evaluate(SHOWN))

    page.wait_for_selector(".wb-figure canvas", state="attached")
    page.locator(".wb-figure").first.scroll_into_view_if_needed()       # "Run All" ends at the foot of the notebook
    page.wait_for_selector(".wb-figure canvas[data-frame]")
    shows("拖动图钉", "重置", "先猜一猜")
    page.locator(".wb-ask:not(details *) button", has_text="A\u2003").first.click()
    shows("先记住它")
    progress = scratch / "notebooks" / "zh" / ".nwlab-progress.txt"
    wait_for(page, lambda: [one["choice"] for one in kept.entries(progress)][-1:], ["It goes through every house."])
