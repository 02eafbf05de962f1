"""Write the commands to paste so that a system runs `pbem tick` every few minutes, and see whether it does.

Not allowed here: a change of this system; a secret.
Source: docs/EMAIL.md "With a timer"; crontab(5), systemd.timer(5), launchd.plist(5), schtasks.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from pathlib import Path

from pbem.disk.system import stat_or_none

MINUTES = 5
#: what to type to see whether a scheduler starts the command, and what it says
INSPECT_COMMANDS = {
    "systemd": "systemctl --user status pbem.timer pbem.service",
    "cron": "crontab -l",
    "launchd": "launchctl list org.pbem.tick",
    "windows": "schtasks /Query /V /FO LIST /TN pbem",
}
#: what to paste so that a scheduler no longer starts the command
REMOVE_COMMANDS = {
    "systemd": "systemctl --user disable --now pbem.timer\n"
    "rm ~/.config/systemd/user/pbem.service ~/.config/systemd/user/pbem.timer\n",
    "cron": r"crontab -l | grep -v '^[^#]*\bpbem\b.*\btick\b' | crontab -" "\n",
    "launchd": "launchctl unload ~/Library/LaunchAgents/org.pbem.tick.plist\n"
    "rm ~/Library/LaunchAgents/org.pbem.tick.plist\n",
    "windows": "schtasks /Delete /F /TN pbem\n",
}
_CRON_ROW = re.compile(r"\s*[^#\s].*\bpbem\b.*\btick\b")
_SYSTEMD = """\
mkdir -p ~/.config/systemd/user
cat > ~/.config/systemd/user/pbem.service <<'END'
[Unit]
Description=pbem tick

[Service]
Type=oneshot
{home}ExecStart={line}
END
cat > ~/.config/systemd/user/pbem.timer <<'END'
[Unit]
Description=pbem tick

[Timer]
OnCalendar=*:0/{minutes}
Persistent=true

[Install]
WantedBy=timers.target
END
systemctl --user enable --now pbem.timer
loginctl enable-linger
"""
_LAUNCHD = """\
cat > ~/Library/LaunchAgents/org.pbem.tick.plist <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>Label</key><string>org.pbem.tick</string>
<key>ProgramArguments</key><array>
{words}</array>
{home}<key>StartInterval</key><integer>{seconds}</integer>
<key>StandardOutPath</key><string>{log}</string>
<key>StandardErrorPath</key><string>{log}</string>
</dict></plist>
END
launchctl load ~/Library/LaunchAgents/org.pbem.tick.plist
"""


def schedule_commands(command: Sequence[str], home: str, log: str) -> dict[str, str]:
    """Return what to paste, by scheduler.

    ``command``: the whole command line. ``home``: PBEM_HOME, "" for the usual place. ``log``: the file that launchd
    adds what is printed to; it has no mail as cron has, and no journal as systemd.
    """
    return {
        "cron": _cron(command, home),
        "systemd": _SYSTEMD.format(
            home=f"Environment={_quote_for_unit(f'PBEM_HOME={home}')}\n" if home else "",
            line=" ".join(_quote_for_unit(word).replace("$", "$$") for word in command),
            minutes=MINUTES,
        ),
        "launchd": _launchd(command, home, log),
        "windows": _windows(command, home),
    }


def find_schedulers() -> list[str]:
    """Return which schedulers of this system start `pbem tick`, as the commands above set them."""
    if sys.platform == "win32":
        return ["windows"] if _output_of("schtasks", "/Query", "/TN", "pbem") else []
    home = Path.home()
    files = {"systemd": ".config/systemd/user/timers.target.wants/pbem.timer"}
    if sys.platform == "darwin":
        files = {"launchd": "Library/LaunchAgents/org.pbem.tick.plist"}
    names = [name for name, file in files.items() if stat_or_none(home / file)]
    rows = _output_of("crontab", "-l").splitlines()
    return [*names, *(["cron"] if any(_CRON_ROW.match(row) for row in rows) else [])]


def _output_of(*command: str) -> str:
    """Return what a command prints, "" if it fails, is missing or does not end."""
    with suppress(OSError, subprocess.SubprocessError):
        process = subprocess.run(  # noqa: S603 - one of those above
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=5, check=True
        )
        return process.stdout.decode("utf-8", "replace")
    return ""


def _cron(command: Sequence[str], home: str) -> str:
    environment = f"PBEM_HOME={shlex.quote(home)} " if home else ""
    line = environment + " ".join(map(shlex.quote, command))
    row = f"*/{MINUTES} * * * * " + line.replace("%", "\\%")
    return f"(crontab -l 2>/dev/null; echo {shlex.quote(row)}) | crontab -\n"


def _quote_for_unit(word: str) -> str:
    """Quote a word for a systemd unit file."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'


def _launchd(command: Sequence[str], home: str, log: str) -> str:
    rows = "".join(f"<string>{escape(word)}</string>\n" for word in command)
    key = "<key>EnvironmentVariables</key><dict><key>PBEM_HOME</key>"
    environment = f"{key}<string>{escape(home)}</string></dict>\n" if home else ""
    return _LAUNCHD.format(words=rows, home=environment, seconds=60 * MINUTES, log=escape(log))


def _windows(command: Sequence[str], home: str) -> str:
    line = " ".join(f'\\"{word}\\"' for word in command)  # a file name cannot have a quotation mark there
    environment = f'setx PBEM_HOME "{home}"\n' if home else ""
    return f'{environment}schtasks /Create /F /TN pbem /SC MINUTE /MO {MINUTES} /TR "{line}"\n'
