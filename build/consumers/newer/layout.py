"""Lays the classes of Gradle out as an installation: layout.py CLASS_PATH FOLDER

The jar from Maven Central has all classes and the manifests of all modules. Gradle looks for a jar per module in its
installation. Each of these jars has the manifest only, which refers to the jar with the classes.
"""

import re
import shutil
import sys
import zipfile
from pathlib import Path

MANIFEST = "-classpath.properties"


def main(class_path, folder):
    jars = [Path(jar) for jar in class_path.split(":")]
    api = next(jar for jar in jars if jar.name.startswith("gradle-api-"))
    version = api.stem.removeprefix("gradle-api-")
    lib = folder / "lib"
    for part in ["bin", "lib", "lib/plugins"]:  # by which Gradle recognizes an installation
        (folder / part).mkdir(parents=True)
    shared = [jar for jar in jars if jar == api or re.match(r"groovy-(?!all)|kotlin-stdlib|ant-", jar.name)]
    for jar in shared:
        shutil.copyfile(jar, lib / jar.name)  # of a link, Gradle would find the folder of the target
    with zipfile.ZipFile(api) as classes:
        manifests = [name for name in classes.namelist() if name.endswith(MANIFEST)]
        projects = {name.removesuffix(MANIFEST): needed(classes.read(name).decode()) for name in manifests}
    others = {other for needs in projects.values() for other in needs}
    for module in projects.keys() | others:
        text = f"projects={','.join(projects.get(module, []))}\nruntime={','.join(jar.name for jar in shared)}\n"
        with zipfile.ZipFile(lib / f"{module}-{version}.jar", "w") as jar:
            jar.writestr(module + MANIFEST, text)
    with zipfile.ZipFile(lib / "javax.inject-1.jar", "w") as jar:
        jar.writestr("empty", "")  # its classes are in the other jar, under another name
    print(":".join(str(lib / jar.name) for jar in shared))


def needed(manifest):
    found = re.search(r"^projects=(.+)$", manifest, re.M)
    return found[1].split(",") if found else []


main(sys.argv[1], Path(sys.argv[2]))
