"""Stands in for the build program that a source archive names.

pip has no "only download": before it hands over a source archive it runs the archive's build
program, to hear the archive's name and version. Those programs fetch and run whatever they like.
scripts/lib/fetch-archive puts this folder first on the Python path, so that pip asks here instead.
The answer comes from the archive's own PKG-INFO; nothing of the archive is run, nothing else is
fetched.
"""

import email
import os


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with open("PKG-INFO", encoding="utf-8") as file:
        info = email.message_from_file(file)
    folder = f"{info['Name'].replace('-', '_')}-{info['Version']}.dist-info"
    os.makedirs(os.path.join(metadata_directory, folder), exist_ok=True)
    path = os.path.join(metadata_directory, folder, "METADATA")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"Metadata-Version: 2.1\nName: {info['Name']}\nVersion: {info['Version']}\n")
    return folder
