"""From settings to a language model. Its client is imported only where one is configured: it takes as long as the rest of the start."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memdb.providers.chat.base import ChatModel
    from memdb.providers.chat.settings import ChatSettings


def make_chat(settings: ChatSettings) -> ChatModel:
    """Build it without any call.

    Raises:
        ConfigurationError: `model` or `base_url` is missing.
    """
    make: Callable[[ChatSettings], ChatModel] = import_module("memdb.providers.chat.openai_compatible").make_openai_compatible
    return make(settings)
