"""`GET /evaluation`, `POST /measure` and `GET /report/{ticket}`: how good the served model is on test data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.server.http.content import Content, page_headers
from likely.server.http.messages import EvaluationAnswer, EvaluationFigures, MeasureRequest
from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.server.evaluation_report import EvaluationReport
    from likely.server.http.handlers.looking import NoQuery
    from likely.server.http.service import Call, Service


async def evaluation(service: Service, call: Call, query: NoQuery) -> EvaluationAnswer:
    """How well the model predicts the test data; the first question begins to measure."""
    del query
    report = service.report
    if report is None:
        return EvaluationAnswer("off", service.keeper.status.seq)
    return await service.aside(_answer, service, report, may_read=call.right == "learn")


async def measure(service: Service, call: Call, request: MeasureRequest) -> EvaluationAnswer:
    """Measure again, with the model of this moment."""
    del call, request
    if service.report is None:
        raise ProblemError(409, "this server has no test data: start it with --test-data")
    service.report.measure()
    return await service.aside(_answer, service, service.report, may_read=True)


def _answer(service: Service, report: EvaluationReport, *, may_read: bool) -> EvaluationAnswer:
    state, head = report.state()
    figures = None if head is None else head.figures
    return EvaluationAnswer(
        state,
        service.keeper.status.seq,
        None if head is None else head.problem,
        None
        if figures is None
        else EvaluationFigures(*(getattr(figures, name) for name in figures.__struct_fields__)),
        f"/report/{service.tickets.new()}" if may_read and figures is not None else None,
    )


async def report(service: Service, call: Call, query: NoQuery) -> Content:
    """The report as a page, at the address that `GET /evaluation` tells those who may learn."""
    del query
    service.tickets.check(call.place)
    page = None if service.report is None else await service.aside(service.report.page)
    if page is None:
        raise ProblemError(404, "there is no report yet: `GET /evaluation` says whether it is being made")
    from likely.report.pages import report_policy  # needed for nothing else, so it must not slow the start down

    # In a sandbox the page has an origin of its own, so that nothing in it can reach the token of the other page.
    policy = f"{report_policy()}; frame-ancestors 'none'; sandbox allow-scripts allow-modals"
    return Content(page, "text/html; charset=utf-8", page_headers(policy))
