"""E-mail to text.

| module | what it does |
| --- | --- |
| `mail.message` | a message as headers and text |
| `mail.markup` | HTML to text |
| `mail.charsets` | bytes in a declared or guessed character set to text |
"""
