"""Routes over who is told of answers that have fallen, and of what became of the notices."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from graphsvc.errors import FieldInvalid
from graphsvc.interfaces.http.context import ChosenNamespace, Graph
from graphsvc.interfaces.http.problems import spec
from graphsvc.models.audit import Delivery, DeliveryState, NewSubscription, Subscription
from graphsvc.models.base import Record

STATES = tuple(one.value for one in DeliveryState)
Limit = Annotated[int, QueryParameter(ge=1, le=1000)]


class WebhookBody(Record):
    """The http or https address that is told by POST."""

    url: str


class Subscriptions(Record):
    """Without the secrets, which are shown once."""

    webhooks: tuple[Subscription, ...]


class Deliveries(Record):
    """Newest first; `dead` are those given up."""

    deliveries: tuple[Delivery, ...]


@post(
    "/v1/webhooks",
    sync_to_thread=True,
    operation_id="add_webhook",
    summary="Subscribe to answers that fall",
    responses=spec(413, 415),
)
def add_webhook(data: JSONBody[WebhookBody], graph: Graph, namespace: ChosenNamespace) -> NewSubscription:
    """Have the namespace's overturned answers told to an address; the `secret` that signs them is shown this once."""
    return graph.audit.subscribe(namespace, data.url)


@get(
    "/v1/webhooks",
    sync_to_thread=True,
    operation_id="list_webhooks",
    summary="List subscriptions",
    responses=spec(),
)
def list_webhooks(graph: Graph, namespace: ChosenNamespace) -> Subscriptions:
    """Who is told of the namespace's overturned answers."""
    return Subscriptions(webhooks=tuple(graph.audit.subscriptions(namespace)))


@get(
    "/v1/webhooks/deliveries",
    sync_to_thread=True,
    operation_id="list_deliveries",
    summary="List notices",
    opt={"query": ("state", "limit")},
    responses=spec(),
)
def list_deliveries(
    graph: Graph,
    namespace: ChosenNamespace,
    # Litestar keeps the bare name for itself.
    wanted: Annotated[str | None, QueryParameter(name="state", enum=STATES, description="only those")] = None,
    limit: Limit = 100,
) -> Deliveries:
    """What became of the namespace's notices: tried how often, with which answer, and when next."""
    if wanted is not None and wanted not in STATES:
        raise FieldInvalid(f"no state is called {wanted!r}", where="state", remedy=f"known: {', '.join(STATES)}")
    state = None if wanted is None else DeliveryState(wanted)
    return Deliveries(deliveries=tuple(graph.audit.deliveries(namespace, state=state, limit=limit)))


@delete(
    "/v1/webhooks/{webhook_id:str}",
    sync_to_thread=True,
    operation_id="remove_webhook",
    summary="Unsubscribe",
    responses=spec(404),
)
def remove_webhook(webhook_id: FromPath[str], graph: Graph, namespace: ChosenNamespace) -> None:
    """Tell that address nothing more, not even what waits for it."""
    graph.audit.unsubscribe(namespace, webhook_id)


ROUTES = (add_webhook, list_webhooks, list_deliveries, remove_webhook)
