"""`grade-merge`: the reports of several parts of a class, put together into one."""
import os
from pathlib import Path

import click

from workbook.grading import byhand, report, results, unknown


def merge(parts: list[Path], out: Path, masters: Path, names: tuple[str, ...], anonymous: bool = False) -> None:
    """Copy the results of these reports into `out`, with the points given by hand, and write its tables and pages.

    The newest result of a student for an exercise counts; of equally new ones, that of the report that is named last.
    """
    for part in parts:
        if not (part / "results").is_dir():
            raise SystemExit(f"{part}: expected a report of `grade`, found no results in it")
    others = [part for part in parts if part.resolve() != out.resolve()]
    heads = {byhand.FILE: byhand.HEAD, byhand.KEY: byhand.KEY_HEAD, unknown.FILE: unknown.HEAD}
    texts = {name: byhand.merged(out / name, [part / name for part in others], head) for name, head in heads.items()
             if any((part / name).exists() for part in others)}
    several = _copy(others, out)
    for name, text in texts.items():
        results.write(out / name, text)
    seeds = {results.earlier_seed(part) for part in others}
    if len(seeds) == 1 and None not in seeds and not (out / "run.json").exists():
        results.seed_of(out, seeds.pop())                    # so that --resume knows these results again
    found = results.load_all(out)
    report.tell(report.report(out, found, masters, names, anonymous))
    for place in several:
        click.echo(f"{place.parent.name}, {place.stem}: graded in more than one report; the newest counts", err=True)
    click.echo(f"{len(found)} notebooks of {len(parts)} reports: {out / 'index.html'}")


def _copy(parts: list[Path], out: Path) -> list[Path]:
    """Copy each result that is as new as the one that is there. Returns those that are there in two forms."""
    several = set()
    for part in parts:
        for source in sorted((part / "results").glob("*/*.json")):
            if results.load(source) is None:
                click.echo(f"{source}: this is no result that can be read; it is left out", err=True)
                continue
            target, time = out / source.relative_to(part), source.stat().st_mtime_ns
            text = source.read_text(encoding="utf-8", errors="surrogatepass")
            if target.exists():
                if target.read_text(encoding="utf-8", errors="surrogatepass") != text:
                    several.add(target)
                if target.stat().st_mtime_ns > time:
                    continue
            results.write(target, text)
            os.utime(target, ns=(time, time))
    return sorted(several)
