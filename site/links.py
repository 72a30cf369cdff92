"""Follows all links of the site: pages, anchors, images, Javadoc. Nothing may come from another host."""

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "srcset")}


class Page(HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.anchors = {"", "top"}
        self.links = []
        self.loaded = []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in {"href", "src", "srcset"} and value:
                (self.loaded if (tag, name) in LOADED else self.links).append(value)


@cache
def page(file):
    return Page(file)


def problem(root, file, link):
    """What is wrong with a link of that file; None if nothing is."""
    url = urlsplit(link)
    if url.scheme or url.netloc:
        return None
    path = unquote(url.path)
    target = root / path[1:] if path.startswith("/") else file.parent / path if path else file
    if target.is_dir():
        target = target / "index.html"
    if not target.resolve().is_relative_to(root):
        return "leads out of the site"
    if not target.exists():
        return "leads nowhere"
    if target.suffix == ".html" and unquote(url.fragment) not in page(target.resolve()).anchors:
        return "leads to an anchor that is not there"
    return None


def main(folder):
    root = folder.resolve()
    files = sorted(root.rglob("*.html"))
    problems = []
    links = 0
    for file in files:
        for link in dict.fromkeys(page(file).links + page(file).loaded):
            links += 1
            fault = problem(root, file, link)
            if fault:
                problems.append(f"{file.relative_to(root)}: {link} {fault}")
        problems += [f"{file.relative_to(root)}: loads {link}" for link in page(file).loaded if urlsplit(link).netloc]
    print(f"{len(files)} pages, {links} links, {len(problems)} broken")
    if problems or not files:
        sys.exit("\n".join(problems))


main(Path(sys.argv[1]))
