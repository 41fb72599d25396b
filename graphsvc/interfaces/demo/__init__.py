"""The bundled story: a year around Ruoxi Lin, who leads a tea-machine project, as an evaluation file.

`story.jsonl` holds her mails, chats, notes and contracts in Chinese, English and both in one line, then
questions about them with the memories that answer each. `change.jsonl` holds a value that changed, asked for as it
is and as it was. Everybody in them is invented.
"""
