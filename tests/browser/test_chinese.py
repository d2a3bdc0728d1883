"""A lesson in Chinese in JupyterLab: its kernel begins in the folder zh, and so all that answers speaks Chinese."""
import json

from jupyter_page import wait_until

SHOWN = "() => [...document.querySelectorAll('.wb-figure, .wb-ask')].map((one) => one.innerText)"


def test_a_chinese_lesson_answers_in_chinese(jupyterlab, scratch):
    lab = jupyterlab.open("notebooks/zh/00_start_here.ipynb")
    lab.run_all()
    page = lab.page

    def shows(*words: str) -> None:
        wait_until(page, lambda: all(word in " ".join(page.evaluate(SHOWN)) for word in words),
                   lambda: page.evaluate(SHOWN))

    page.wait_for_selector(".wb-figure canvas", state="attached")
    page.locator(".wb-figure").first.scroll_into_view_if_needed()       # "Run All" ends at the foot of the notebook
    page.wait_for_selector(".wb-figure canvas[data-frame]")
    shows("拖动图钉", "重置", "先猜一猜")
    page.locator(".wb-ask:not(details *) button", has_text="A\u2003").first.click()
    shows("先记住它")
    for words in page.evaluate(SHOWN):
        letters = [letter for letter in words if letter.isalpha()]
        assert sum(letter.isascii() for letter in letters) <= 0.4 * len(letters), words
    kept = scratch / "notebooks" / "zh" / ".nwlab-progress.txt"
    wait_until(page, kept.is_file, lambda: "the answer is not kept")
    assert json.loads(kept.read_text(encoding="utf-8").split("\n")[-2])["choice"] == "It goes through every house."
