"""Files as bytes, and which format they have.

| module | contents |
| --- | --- |
| `files.stream` | `Stream`: the bytes of a file, decompressed and decoded; `Feed`: what rows are parsed from |
| `files.compression` | how files are decompressed |
| `files.decoding` | in which encoding a text is, and the same text as UTF-8 |
| `files.formats` | the format of a file, by its name or its first bytes |
| `files.delimiters` | which character separates the fields of a file |
| `files.archive` | the files in a zip archive, as paths |
| `files.spool` | compressed tables, unpacked to a temporary file |
| `files.names` | the names of files as text |
"""
