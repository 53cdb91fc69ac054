"""Files of rows that the kernel parses.

| module | contents |
| --- | --- |
| `records.reader` | `RecordReader`: what these formats have in common |
| `records.beside` | `Beside`: the weights and groups of such rows |
| `records.csv` | comma, semicolon or tab separated values |
| `records.jsonl` | JSON Lines |
| `records.json_array` | the elements of a JSON array as JSON Lines |
| `records.lines` | plain lines and fastText lines |
| `records.excel` | Excel workbooks as JSON Lines |
| `records.excel_limits`, `records.excel_texts` | how large a workbook and its texts may be |
"""
