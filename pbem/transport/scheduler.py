"""Write the commands to paste so that a system runs `pbem tick` every few minutes.

What must never be here: a change of this system; a secret.
Source: docs/POST.md "By itself"; crontab(5), systemd.timer(5), launchd.plist(5), schtasks.
"""

import shlex
from collections.abc import Sequence
from html import escape

MINUTES = 5
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
