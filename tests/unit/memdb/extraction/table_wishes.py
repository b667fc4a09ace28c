"""How somebody wants to be answered, and what of themselves they tell in passing: rule -> what Ana says and what is proposed of it, and what
sounds like it and is none. Said on Wednesday, 28 February 2024.
"""

from __future__ import annotations

from typing import Final

from tests.unit.memdb.extraction.table_english import Case

ENGLISH: Final[dict[str, Case]] = {
    "en-keep-answers": ((("Keep answers short", "Ana wants short answers."), ("please keep your replies short and formal", "Ana wants short and formal answers."), ("Keep your explanations as simple as possible", "Ana wants simple answers.")), ("keep it short", "keep the meeting short", "he keeps his answers short", "could you keep answers short?")),
    "en-want-answers": ((("I want short answers", "Ana wants short answers."), ("Bruno wants detailed explanations", "Bruno wants detailed answers.")), ("I want short hair", "I want answers", "I'd want short answers")),
    "en-like-answers": ((("I like direct answers", "Ana wants direct answers."),), ("I like short stories", "I don't like short answers")),
    "en-need-answers": ((("I need brief summaries please", "Ana wants brief answers."),), ("I need a short break", "I need answers today")),
    "en-want-answers-so": ((("I want your answers to be brief", "Ana wants brief answers."),), ("I want your answers by noon", "I want my answers graded")),
    "en-like-answers-so": ((("I like my answers short", "Ana wants short answers."),), ("I like my answers", "I like my coffee short")),
    "en-need-answers-so": ((("I need your answers to be concise", "Ana wants concise answers."),), ("I need your answers soon",)),
    "en-prefer-answers-so": ((("I prefer my answers short", "Ana wants short answers."),), ("I prefer my answers to yours",)),
    "en-answer-so": ((("Always reply in bullet points", "Ana wants to be answered in bullet points."), ("please explain things in plain English", "Ana wants to be answered in plain English.")), ("he replied in detail", "reply in time", "can she answer in detail?")),
    "en-avoid": ((("Don't use emojis", "Ana wants no emojis."), ("please avoid jargon in your answers", "Ana wants no jargon.")), ("don't use emojis in the press release", "don't use the lift", "they don't use emojis", "why no emojis?")),
    "en-be-so": ((("Be concise in your answers", "Ana wants concise answers."), ("please be direct with me", "Ana wants direct answers.")), ("be brief", "be direct with Bruno", "to be direct with me is hard")),
    "en-study-at": ((("I study at Trinity College", "Ana studies at Trinity College."),), ("I study at night", "I study at home", "do I study at Trinity College?")),
    "en-sing": ((("I sing in a choir", "Ana sings in a choir."), ("Bruno sings in the church choir", "Bruno sings in the church choir.")), ("I sing in the shower", "I sing in a bad mood")),
    "en-demonym": ((("I'm Brazilian", "Ana is Brazilian."), ("Bruno is Irish", "Bruno is Irish.")), ("I'm French toast crazy", "is Bruno Irish?", "I'm not Irish")),
    "en-live-in-a": ((("I live in a small flat in Leeds", "Ana lives in Leeds."),), ("I live in a small flat in need of paint", "I live in a house", "I live in a flat in the woods")),
}  # fmt: skip

PORTUGUESE: Final[dict[str, Case]] = {
    "pt-keep-answers": ((("Mantenha as respostas curtas", "Ana quer respostas curtas."),), ("mantenha a porta fechada", "mantenha a calma", "ele mantém as respostas curtas")),
    "pt-want-answers": ((("Quero respostas curtas", "Ana quer respostas curtas."), ("o Bruno quer explicações detalhadas", "Bruno quer respostas detalhadas.")), ("quero respostas", "quero férias curtas", "queria respostas curtas")),
    "pt-answers-please": ((("Respostas curtas, por favor", "Ana quer respostas curtas."),), ("respostas curtas são melhores", "respostas, por favor", "férias curtas, por favor")),
    "pt-answer-so": ((("Responda de forma simples", "Ana quer respostas de forma simples."), ("sempre me explique com exemplos", "Ana quer respostas com exemplos.")), ("responda em casa", "responda ao Bruno", "ele responde de forma simples")),
    "pt-avoid": ((("Não use emojis", "Ana não quer emojis."), ("por favor, evite gírias nas respostas", "Ana não quer gírias.")), ("não use o elevador", "não uso emojis", "não use emojis no cartaz")),
    "pt-be-so": ((("Seja direto nas respostas", "Ana quer que se responda assim: direto."),), ("seja breve", "seja direto com o Bruno", "seja feliz")),
    "pt-grew-up": ((("Cresci em Ouro Preto", "Ana cresceu em Ouro Preto."), ("o Bruno cresceu em Belém", "Bruno cresceu em Belém.")), ("cresci em casa", "cresci muito", "cresci na empresa")),
    "pt-sing": ((("Canto num coral", "Ana canta em coral."),), ("canto no chuveiro", "canto mal")),
    "pt-working-towards": ((("Estou treinando para uma maratona", "Ana está treinando para uma maratona."),), ("estou treinando", "estou estudando para isso", "queria estar treinando para uma maratona")),
    "pt-live-in-a": ((("Moro num apartamento pequeno em Santos", "Ana mora em Santos."), ("o Bruno mora em uma casa em Olinda", "Bruno mora em Olinda.")), ("moro num apartamento", "moro numa casa em obras", "moro num apartamento no centro")),
}  # fmt: skip
