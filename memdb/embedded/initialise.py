"""The first start: a new cluster is made whole in a folder of its own, then gets its name by one rename.

INVARIANT: a folder named `postgres` is complete, and nothing here runs when one exists.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from psycopg import sql

from memdb.embedded.binaries import Binaries
from memdb.embedded.credentials import OWNER, SUPERUSER, Credentials, make_credentials
from memdb.embedded.layout import naming_path, sync_folder
from memdb.embedded.site import Site, folder_argument, run_inside
from memdb.embedded.socketdir import give
from memdb.errors import ConfigurationError

DATABASE = "memdb"
# Sorting and upper case come from Postgres itself, the same on each machine; the system's locale only tells the
# full-text parser what a letter is. Systems without C.UTF-8 get C, where every sign beyond ASCII counts as a letter.
_SYSTEM_LOCALES = ("C.UTF-8", "C")


def initialise(site: Site, binaries: Binaries, credentials: Credentials, say: Callable[[str], None]) -> None:
    """Make the cluster with roles, database and extension; about two seconds and 50 MB.

    A start that is killed here leaves a folder `postgres.new-…` that nothing uses again.

    `binaries` are programs that the server's account can reach, which those of `site` need not be.

    Raises:
        ConfigurationError: the disk is full, the folder cannot be written, or Postgres refuses.
    """
    pgdata = site.layout.pgdata
    say(f"making a new database in {pgdata}")
    with naming_path(pgdata, "make the database"):
        folder = Path(tempfile.mkdtemp(prefix=f"{pgdata.name}.new-", dir=pgdata.parent))
        try:
            give(folder, site.account)
            _run_initdb(site, binaries, folder)
            _run_sql(site, binaries, folder, "postgres", _cluster_statements(credentials))
            _run_sql(site, binaries, folder, DATABASE, _database_statements())
            folder.rename(pgdata)
            sync_folder(pgdata.parent)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)  # made by this call, so ours to remove
            raise


def _run_initdb(site: Site, binaries: Binaries, folder: Path) -> None:
    # initdb wants a password in a file. This one has no name in any folder and its content is replaced a moment later.
    with tempfile.TemporaryFile(mode="w") as file:
        file.write(make_credentials().password_of(SUPERUSER))
        file.flush()
        if site.account is not None:
            os.fchown(file.fileno(), site.account.uid, site.account.gid)
        for locale in _SYSTEM_LOCALES:
            file.seek(0)
            arguments: list[str | Path] = [
                binaries.initdb,
                f"--pgdata={folder_argument(folder, site.account)}",
                f"--username={SUPERUSER}",
                "--auth=scram-sha-256",
                f"--pwfile=/dev/fd/{file.fileno()}",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                f"--lc-ctype={locale}",
                "--data-checksums",
            ]
            reply = run_inside(site, folder, arguments, descriptors=[file.fileno()])
            if reply.returncode == 0:
                return
            if "invalid locale name" not in reply.stderr:
                break
    raise ConfigurationError(f"cannot make a database in {folder.parent}: initdb says: {_last_line(reply.stderr)}")


def _run_sql(site: Site, binaries: Binaries, folder: Path, database: str, statements: list[sql.Composable]) -> None:
    """Run statements in single-user mode: no socket is open, so nobody else can connect to a half-made cluster."""
    arguments: list[str | Path] = [binaries.postgres, "--single", "-j", "-D", folder_argument(folder, site.account)]
    for setting in ("exit_on_error=true", "log_min_error_statement=panic", "log_error_verbosity=terse"):
        arguments += ["-c", setting]
    text = "".join(f"{statement.as_string(None)};\n\n" for statement in statements)
    reply = run_inside(site, folder, [*arguments, database], text=text)
    if reply.returncode != 0:
        raise ConfigurationError(f"cannot set up the database in {folder.parent}: {_last_fatal(reply.stderr)}")


def _cluster_statements(credentials: Credentials) -> list[sql.Composable]:
    return [
        sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(SUPERUSER), sql.Literal(credentials.password_of(SUPERUSER))),
        sql.SQL("CREATE ROLE {} LOGIN CREATEROLE PASSWORD {}").format(sql.Identifier(OWNER), sql.Literal(credentials.password_of(OWNER))),
        sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), sql.Identifier(OWNER)),
        sql.SQL("REVOKE ALL ON DATABASE {}, postgres, template1 FROM PUBLIC").format(sql.Identifier(DATABASE)),
    ]


def _database_statements() -> list[sql.Composable]:
    # Only a superuser may add the extension, so it cannot wait for the owner's migration.
    return [sql.SQL("CREATE EXTENSION vector"), sql.SQL("REVOKE CREATE ON SCHEMA public FROM PUBLIC")]


def _last_line(text: str) -> str:
    """The last line with an error in it; initdb ends with advice about the folder."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower() or "fatal" in line.lower()]
    return (telling or lines or ["no reason given"])[-1]


def _last_fatal(text: str) -> str:
    # SECURITY: only FATAL lines; an ERROR line could quote a statement, and these hold passwords.
    lines = [line.split("FATAL:", 1)[1].strip() for line in text.splitlines() if "FATAL:" in line]
    return lines[-1] if lines else "Postgres gave no reason"
