"""`graphsvc feedback`: somebody's word on an answer, for the next calibrator to learn from."""

from __future__ import annotations

import click

from graphsvc.interfaces.cli.context import (
    Name,
    acting,
    json_option,
    open_graph,
    print_found,
    with_settings,
)
from graphsvc.interfaces.cli.prose import Prose, plain
from graphsvc.models.calibration import Verdict
from graphsvc.settings import Settings


@click.command()
@click.argument("trace_id", metavar="TRACE_ID")
@click.option("--accept", is_flag=True, help="It answers the question.")
@click.option("--reject", is_flag=True, help="It does not.")
@click.option("--corrected-by", type=Name(), metavar="ID", help="It does not, and this memory does.")
@click.option("--memory", type=Name(), metavar="ID", help="Of this memory, and not of the answer as a whole.")
@json_option
@with_settings
def feedback(
    settings: Settings,
    *,
    trace_id: str,
    accept: bool,
    reject: bool,
    corrected_by: str | None,
    memory: str | None,
    as_json: bool,
) -> None:
    """Say whether an answer was right, for the next calibrator to learn from.

    A later word on the same answer and memory replaces the earlier one.
    """
    said = [
        verdict
        for verdict, given in (
            (Verdict.ACCEPTED, accept),
            (Verdict.REJECTED, reject),
            (Verdict.CORRECTED, corrected_by is not None),
        )
        if given
    ]
    if len(said) != 1:
        raise click.UsageError("say one of --accept, --reject and --corrected-by")
    with open_graph(settings) as graph:
        kept = graph.feedback(
            trace_id,
            said[0],
            memory_id=memory,
            corrected_by=corrected_by,
            namespace=settings.namespace,
            by=acting(),
        )
    learns = "to be learnt from" if kept.lesson is not None else "nothing can be learnt from it"
    print_found(kept, Prose(plain(f"{kept.trace_id} {kept.verdict.value}; {learns}")), as_json=as_json)
