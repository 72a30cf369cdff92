"""Copies the documents of this project, and what they link to, into a folder for the generator.

The folder has the shape of the project, so links between documents stay as they are. What is neither a document nor an image
becomes a page of its own: a file shows its text, a folder lists its files.
"""

import os
import re
import shutil
import sys
import tomllib
from pathlib import Path, PurePosixPath

from imports import Imports

PROJECT = Path(__file__).resolve().parent.parent
IMAGES = {".png", ".svg"}
LANGUAGES = {".java": "java", ".kt": "kotlin", ".go": "go", ".xml": "xml"}

FENCED = re.compile(r"^(```.*?^```$)", re.M | re.S)
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
# The code of another library, and at once our own.
START = PurePosixPath("README.md")
# The title, the introduction, the dependency and the program at the begin of the start page.
OPENING = re.compile(r"^(# \w+\n)\n(.*?)\n\n(```xml\n.*?^```)\n\n(```java\n.*?^```)$", re.M | re.S)
# Beside them on the first screen.
SHOWN = """\
[![Ring of 1,000 actors: Fibry and its peers](fibry-bench/results/full/ringbenchmark-hop.png)](docs/figures.md)

[![The live page of a program](docs/images/observer.png)](docs/observer.md)"""
BUTTONS = """\
[Start in five minutes](docs/start.md){ .md-button .md-button--primary }
[Figures](docs/figures.md){ .md-button }
[Live page](docs/observer.md){ .md-button }"""
PAIR = re.compile(r"^```java (\w+)\n(.*?^```)\n\n```java\n(.*?^```)$", re.M | re.S)
NAMES = {"pekko": "Pekko", "vertx": "Vert.x", "threads": "Plain virtual threads", "fibry2019": "Fibry 2019"}


class Pages:
    def __init__(self, target):
        self.target = target
        self.imports = Imports(PROJECT)
        self.todo = []
        self.done = set()

    def write(self, documents):
        """Writes the documents, and all that can be reached from them by links."""
        self.todo.extend(documents)
        while self.todo:
            path = self.todo.pop()
            if path not in self.done:
                self.done.add(path)
                self.one(path)

    def one(self, path):
        source, target = PROJECT / path, self.target / path
        if source.suffix == ".md":
            text = self.imports.added(self.relinked(path, source.read_text()))
            put(target, start(text) if path == START else side_by_side(text))
        elif source.suffix in IMAGES:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        elif source.is_dir():
            put(self.target / page_of(path), self.listing(path))
        else:
            put(self.target / page_of(path), shown(path))

    def relinked(self, path, text):
        """The text with links to pages. Code is no place for links."""
        parts = FENCED.split(text)
        parts[::2] = [LINK.sub(lambda link: self.link(path, link[1]), part) for part in parts[::2]]
        return "".join(parts)

    def link(self, path, link):
        linked = os.path.normpath(path.parent / link)
        if not (PROJECT / linked).exists() or linked.startswith(".."):
            sys.exit(f"{path} links to {link}, which is not in this project")
        linked = PurePosixPath(linked)
        self.todo.append(linked)
        return os.path.relpath(page_of(linked), path.parent)

    def listing(self, path):
        names = sorted(file.name for file in (PROJECT / path).iterdir() if file.is_file())
        lines = [f"- [{name}]({self.link(path / 'index.md', name)})" for name in names]
        return "\n".join([HIDDEN + f"# {path}", "", *lines, ""])


HIDDEN = "---\nsearch:\n  exclude: true\n---\n"


def page_of(path):
    """The page for a file or a folder of this project."""
    if (PROJECT / path).is_dir():
        return path / "index.md"
    return path if path.suffix in IMAGES | {".md"} else path.with_name(path.name + ".md")


def shown(path):
    return HIDDEN + f"# {path.name}\n\n````{LANGUAGES.get(path.suffix, 'text')}\n{(PROJECT / path).read_text()}````\n"


def start(text):
    """The README as the start page: the program beside a chart and the live page."""
    front = "---\nhide:\n  - navigation\n  - toc\n---\n"
    page, found = OPENING.subn(
        lambda opening: f'{opening[1]}\n<div class="start" markdown>\n<div markdown>\n\n{opening[2]}\n\n{opening[4]}\n\n'
        f"{BUTTONS}\n\n{opening[3]}\n\n</div>\n<div markdown>\n\n{SHOWN}\n\n</div>\n</div>",
        text,
        count=1,
    )
    if not found:
        sys.exit(f"{START} does not begin with a title, an introduction, the dependency and a program")
    return front + page


def side_by_side(text):
    """Puts the code of another library beside ours."""
    paired = PAIR.sub(
        lambda pair: '<div class="pair" markdown>\n\n'
        f'``` {{ .java title="{NAMES[pair[1]]}" }}\n{pair[2]}\n\n``` {{ .java title="Fibry" }}\n{pair[3]}\n\n</div>',
        text,
    )
    return paired if paired == text else "---\nhide:\n  - toc\n---\n" + paired


def put(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def navigation(entries):
    """The pages of the navigation, in their order."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict):
            yield from navigation(entry.values())
        else:
            yield from navigation(entry)


def main(folder):
    config = PROJECT / "site/zensical.toml"
    listed = set(navigation(tomllib.loads(config.read_text())["project"]["nav"]))
    missing = {str(file.relative_to(PROJECT)) for file in (PROJECT / "docs").rglob("*.md")} - listed
    if missing:
        sys.exit(f"not in the navigation of site/zensical.toml: {', '.join(sorted(missing))}")
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    Pages(pages).write(PurePosixPath(name) for name in sorted(listed) if name.endswith(".md"))
    put(pages / "site/style.css", (PROJECT / "site/style.css").read_text())
    put(folder / "zensical.toml", config.read_text())


main(Path(sys.argv[1]))
