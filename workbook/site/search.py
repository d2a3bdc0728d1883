"""Search in Chinese, which has no spaces between words: every two letters that stand side by side are a word."""
import re

from sphinx import search

_HAN = r"[\u4e00-\u9fff]"
_WORDS = re.compile(rf"(?=({_HAN}{{2}}))|((?<!{_HAN}){_HAN}(?!{_HAN})|(?:(?!{_HAN})\w)+)")
SPLIT = r"""
var splitQuery = (query) => [...query.matchAll(/[\u4e00-\u9fff]+|[^\s\u4e00-\u9fff\p{P}]+/gu)].flatMap(([word]) =>
  /[\u4e00-\u9fff]/.test(word) && word.length > 2 ? [...word].slice(1).map((letter, i) => word[i] + letter) : [word]);
"""


class PairsOfLetters(search.SearchLanguage):
    lang, language_name, js_splitter_code = "zh", "Chinese", SPLIT

    def split(self, input: str) -> list[str]:
        return [pair or word for pair, word in _WORDS.findall(input)]


def setup(app) -> dict:
    search.languages["zh"] = PairsOfLetters
    return {"parallel_read_safe": True}
