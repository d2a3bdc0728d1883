"""axe on a page in a browser: what breaks WCAG 2.2 at level AA, as far as a program can see it."""
from axe_playwright_python.base import AXE_SCRIPT

SETTLED = """() => document.getAnimations().forEach((one) =>
    one.effect.getComputedTiming().endTime < Infinity && one.finish())"""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def violations(page, within: str | None = None) -> list[str]:
    """A line for each element that breaks a rule: rule, element, what is wrong; [] if all is well.

    page: of Playwright. within: a CSS selector, to look at that part of the page only, at every element it names;
    AssertionError if there is none, as nothing breaks no rule. Of a table it looks at the first rows: the others are
    made in the same way, and the colours of a thousand cells take most of the time. A colour that changes, as when the
    theme does, is looked at when it has changed.
    """
    assert within is None or page.locator(within).count(), f"{within}: no such element on the page"
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    page.evaluate(SETTLED)
    found = page.evaluate(
        """([within, tags]) => axe.run({ include: [within ?? "html"], exclude: ["tbody tr:nth-child(n + 4)"] }, {
            runOnly: tags, resultTypes: ["violations"], iframes: false, preload: false })""", [within, TAGS])
    return [f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']} {node['html'][:200]}"
            for rule in found["violations"] for node in rule["nodes"]]
