"""Pictures by matplotlib, for those who publish.

| module | contents |
| --- | --- |
| `reports.plots.canvas` | figures, labels and colours, without a global state of matplotlib |
| `reports.plots.evaluation` | confusion matrix, ROC, precision-recall and reliability curves |
| `reports.plots.words` | the most typical words of classes |
"""
