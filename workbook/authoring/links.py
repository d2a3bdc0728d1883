"""`links`: launch links to copy, which open each notebook live."""
import html
from collections.abc import Iterator

from workbook.authoring.project import Project

BADGES = {
    "JupyterLite": "https://jupyterlite.rtfd.io/en/latest/_static/badge.svg",
    "Binder": "https://mybinder.org/badge_logo.svg",
    "Colab": "https://colab.research.google.com/assets/colab-badge.svg",
    "JupyterHub": "https://img.shields.io/badge/open_on-JupyterHub-F37626",
}


def launch_links(project: Project, hub: str = "") -> Iterator[str]:
    """For each notebook the lines for a course page: its launch links, as badges in Markdown and in HTML."""
    for path in sorted(path for folder in (project.notebooks, project.exercises)
                       for path in (*folder.glob("*.ipynb"), *folder.glob("??/*.ipynb"))):       # also translated ones
        name = project.relative(path)
        found = project.launches(name.removesuffix(".ipynb"), hub)
        yield f"{name}\n"
        yield " ".join(f"[![Open on {where}]({BADGES[where]})]({link})" for where, link in found.items()) + "\n"
        for where, link in found.items():
            yield f'<a href="{html.escape(link)}"><img src="{BADGES[where]}" alt="Open on {where}"></a>'
        yield ""
