"""The documents that are worth reading: the worst errors, and those that are probably mislabelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.page.markup import LEGEND, document_item, paragraph, percent, section

if TYPE_CHECKING:
    from likely.reports.page.material import Material


def worst_errors(material: Material) -> str:
    """The section with the errors in which the model was most sure."""
    if not material.mistakes:
        return section("errors", "Worst errors", paragraph("There are none: every prediction is right."))
    items = "".join(document_item(each) for each in material.mistakes)
    return section(
        "errors",
        "Worst errors",
        paragraph("The wrong predictions of which the model was most sure. Some of them may be wrong labels."),
        LEGEND,
        f'<ol class="documents">{items}</ol>',
    )


def mislabelled(material: Material) -> str:
    """The section with the documents whose labels are probably wrong."""
    if material.suspects is None:
        return section(
            "labels", "Probably mislabelled", paragraph("The labels were not judged: there are too few documents.")
        )
    if not material.suspects:
        return section(
            "labels",
            "Probably mislabelled",
            paragraph("No label is contradicted strongly enough by the other documents to be listed."),
        )
    items = "".join(
        document_item(each.example, f"; the label is wrong with probability {percent(each.probability)}")
        for each in material.suspects
    )
    return section(
        "labels",
        "Probably mislabelled",
        paragraph(
            "Documents whose labels are contradicted by the model, which has not learned them. A share of the labels "
            "is assumed to be wrong at random, and estimated; the list is as long as is best for its expected F1. If "
            "the model has learned these documents, the list is too short: use <code>model.suspects</code> instead."
        ),
        f'<ol class="documents">{items}</ol>',
    )
