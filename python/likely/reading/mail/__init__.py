"""The text of e-mail messages.

| module | contents |
| --- | --- |
| `mail.message` | the subject and the body of a message; the messages of mailboxes |
| `mail.markup` | the text of HTML |
| `mail.charsets` | the text of bytes in a declared or guessed character set |
"""
