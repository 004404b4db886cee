"""Clients of `lookalike serve`, and the types of its answers.

`Client` is for threads and `AsyncClient` for coroutines. Both need only the standard library. The package imports this module when
it is used first.
"""

from lookalike.service._answer_index import IndexAnswer as IndexAnswer
from lookalike.service._answer_index import PlanAnswer as PlanAnswer
from lookalike.service._answers import AddAnswer as AddAnswer
from lookalike.service._answers import CheckAnswer as CheckAnswer
from lookalike.service._answers import ClusterAnswer as ClusterAnswer
from lookalike.service._answers import ClusterMember as ClusterMember
from lookalike.service._answers import DocumentAnswer as DocumentAnswer
from lookalike.service._answers import DocumentMatch as DocumentMatch
from lookalike.service._answers import RemoveAnswer as RemoveAnswer
from lookalike.service._answers import SimilarAnswer as SimilarAnswer
from lookalike.service._answers import TouchAnswer as TouchAnswer
from lookalike.service._answers_on_lists import CompareAnswer as CompareAnswer
from lookalike.service._answers_on_lists import ComparedText as ComparedText
from lookalike.service._answers_on_lists import DeduplicateAnswer as DeduplicateAnswer
from lookalike.service._answers_on_lists import EqualPart as EqualPart
from lookalike.service._answers_on_lists import Event as Event
from lookalike.service._answers_on_lists import Measures as Measures
from lookalike.service._answers_on_lists import Represented as Represented
from lookalike.service._answers_on_lists import SeenDocument as SeenDocument
from lookalike.service._answers_on_lists import SharedPassage as SharedPassage
from lookalike.service._answers_on_lists import UniqueDocument as UniqueDocument
from lookalike.service._async_client import AsyncClient as AsyncClient
from lookalike.service._client import Client as Client
from lookalike.service._fields import AddFields as AddFields
from lookalike.service._fields import DocumentFields as DocumentFields
from lookalike.service._fields import Line as Line
from lookalike.service._fields import ListedDocument as ListedDocument
from lookalike.service._fields import Operation as Operation
from lookalike.service._fields import Selected as Selected

__all__ = [
    "AddAnswer",
    "AddFields",
    "AsyncClient",
    "CheckAnswer",
    "Client",
    "ClusterAnswer",
    "ClusterMember",
    "CompareAnswer",
    "ComparedText",
    "DeduplicateAnswer",
    "DocumentAnswer",
    "DocumentFields",
    "DocumentMatch",
    "EqualPart",
    "Event",
    "IndexAnswer",
    "Line",
    "ListedDocument",
    "Measures",
    "Operation",
    "PlanAnswer",
    "RemoveAnswer",
    "Represented",
    "SeenDocument",
    "Selected",
    "SharedPassage",
    "SimilarAnswer",
    "TouchAnswer",
    "UniqueDocument",
]
