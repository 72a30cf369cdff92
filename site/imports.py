"""Adds the imports of a block of Java below it, folded."""

import re
from collections import Counter

BLOCK = re.compile(r"^```java\n(.*?)^```$", re.M | re.S)
IMPORT = re.compile(r"^import (?:static )?([\w.]+)\.(\w+);", re.M)
DECLARED = re.compile(r"\b(?:class|record|interface|enum)\s+(\w+)")
TYPE = re.compile(r"(?<![\w.])([A-Z]\w+)\b")
NOISE = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)


class Imports:
    """The types that the sources of a project import, or declare in the packages of the library."""

    def __init__(self, project):
        used = Counter()
        for folder in ("fibry-core", "extensions", "examples"):
            for file in (project / folder).rglob("*.java"):
                if "target" not in file.parts:
                    used.update(
                        (name, package)
                        for package, name in IMPORT.findall(file.read_text())
                        if package.rpartition(".")[2][0].islower() and name[0].isupper()
                    )
        self.packages = {}
        for (name, package), _ in reversed(used.most_common()):
            self.packages[name] = package  # the most frequent one is the last
        library = [*project.glob("fibry-core/src/main/java/**/*.java"), *project.glob("extensions/*/src/main/java/**/*.java")]
        for file in library:
            text = file.read_text()
            if re.search(rf"^public .*\b{file.stem}\b", text, re.M):
                self.packages[file.stem] = re.search(r"^package ([\w.]+);", text, re.M)[1]

    def added(self, text):
        """The text of a document; the types that it declares need no import."""
        declared = set(DECLARED.findall(text))
        return BLOCK.sub(lambda block: block[0] + self.folded(block[1], declared), text)

    def folded(self, code, declared):
        if IMPORT.search(code):
            return ""
        types = set(TYPE.findall(NOISE.sub("", code))) - declared
        lines = sorted(f"import {self.packages[name]}.{name};" for name in types if name in self.packages)
        if not lines:
            return ""
        listed = "\n".join(lines)
        return f'\n\n<details class="imports" markdown><summary>Imports</summary>\n\n```{{ .java }}\n{listed}\n```\n\n</details>'
