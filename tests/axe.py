"""axe on a page in a browser: what breaks WCAG 2.2 at level AA, as far as a program can see it."""
from axe_playwright_python.base import AXE_SCRIPT
from jupyter_page import expect, wait_for

SETTLED = """() => document.getAnimations().forEach((one) =>
    one.effect.getComputedTiming().endTime < Infinity && one.finish())"""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def breaks_no_rule(page, within: str | None = None) -> None:
    """Wait until no element breaks a rule. AssertionError with a line for each that does: rule, element, what is wrong.

    page: of Playwright. within: a CSS selector, to look at that part of the page only, at every element it names;
    AssertionError if there is none, as nothing breaks no rule. Of a table it looks at the first rows: the others are
    made in the same way, and the colours of a thousand cells take most of the time. A colour that changes, as when the
    theme does, is looked at when it has changed.
    """
    if within is not None:
        expect(page.locator(within).first).to_be_attached()
    wait_for(page, lambda: _violations(page, within), [])


def _violations(page, within: str | None) -> list[str]:
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    page.evaluate(SETTLED)
    found = page.evaluate(
        """([within, tags]) => axe.run({ include: [within ?? "html"], exclude: ["tbody tr:nth-child(n + 4)"] }, {
            runOnly: tags, resultTypes: ["violations"], iframes: false, preload: false })""", [within, TAGS])
    return [f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']} {node['html'][:200]}"
            for rule in found["violations"] for node in rule["nodes"]]
