"""A lesson in Chinese in JupyterLab: its kernel begins in the folder zh, and so all that answers speaks Chinese."""
from jupyter_page import wait_for

from workbook.questions import kept

ENGLISH = """() => [...document.querySelectorAll('.wb-figure, .wb-ask')].map((one) => one.innerText)
    .filter((words) => words.match(/[a-z]/gi)?.length > 0.7 * (words.match(/[\\u4e00-\\u9fff]/g)?.length ?? 0))"""


def test_a_chinese_lesson_answers_in_chinese(jupyterlab, scratch):
    lab = jupyterlab.open("notebooks/zh/00_start_here.ipynb")
    lab.run_all()
    page = lab.page
    page.wait_for_selector(".wb-figure canvas", state="attached")
    page.locator(".wb-figure").first.scroll_into_view_if_needed()       # "Run All" ends at the foot of the notebook
    page.wait_for_selector(".wb-figure canvas[data-frame]")
    for words in ("拖动图钉", "重置", "先猜一猜"):
        page.get_by_text(words).locator("visible=true").first.wait_for()
    page.locator(".wb-ask:not(details *) button", has_text="A\t").first.click()
    page.locator(".wb-ask", has_text="先记住它").first.wait_for()
    wait_for(page, lambda: page.evaluate(ENGLISH), [])
    progress = scratch / "notebooks" / "zh" / ".nwlab-progress.txt"
    wait_for(page, lambda: [one["choice"] for one in kept.entries(progress)][-1:], ["It goes through every house."])
