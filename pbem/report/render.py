"""Renders templates to text, in the one Jinja environment. The build hook compiles with the same settings.

Not allowed here: a State (templates get plain values, made from a View), a module-level
import of jinja2 (17 ms), a file written.
Laws: an unknown name is an error, never an empty place; an error names the template and the line,
never a value. Source: CONTRIBUTING.md "Dependencies" (jinja2).
"""

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.errors import OurFault

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment
    from jinja2.runtime import Context

COMPILED = "_compiled_templates"  #: the folder in an installed pbem
_PACKAGE_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # pbem


def render(name: str, /, *folders: str, **values: object) -> str:
    """The text of one template with these values; ``folders`` (a plug-in's own) are searched first.

    Raises OurFault for every mistake in a template: a missing file, wrong syntax, an unknown name.
    """
    from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

    try:
        template = _cached_environment(folders).get_template(name)
        # Template.render would rewrite the traceback, and with it the place.
        context = template.new_context(values)
        return "".join(template.root_render_func(context))
    except TemplateNotFound as error:
        places = " or ".join((*folders, "the templates of pbem"))
        raise _template_fault(str(error.name), 0, f"it is missing in {places}") from None
    except TemplateSyntaxError as error:
        problem = f"TemplateSyntaxError: {error.message}"
        raise _template_fault(error.name or name, error.lineno, problem) from None
    except (
        TemplateError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError
    ) as error:  # fmt: skip
        raise _template_fault(*_locate_error(error, name)) from None


def environment(*folders: str) -> "Environment":
    """An environment that reads the sources in these folders."""
    from jinja2 import FileSystemLoader

    return _make_environment(FileSystemLoader(list(folders)))


@cache
def _cached_environment(folders: tuple[str, ...]) -> "Environment":
    """Compiled modules where pbem is installed; the sources beside the package in a checkout."""
    from jinja2 import ChoiceLoader, FileSystemLoader, ModuleLoader

    compiled = os.path.join(_PACKAGE_DIR, COMPILED)
    own_loader: BaseLoader = (
        ModuleLoader(compiled)
        if os.path.isdir(compiled)
        else FileSystemLoader(os.path.join(os.path.dirname(_PACKAGE_DIR), "templates"))
    )
    return _make_environment(ChoiceLoader([FileSystemLoader(list(folders)), own_loader]) if folders else own_loader)


def _make_environment(loader: "BaseLoader") -> "Environment":
    """The settings; a change here changes every report."""
    from jinja2 import StrictUndefined
    from jinja2.environment import TemplateModule
    from jinja2.runtime import Macro
    from jinja2.sandbox import ImmutableSandboxedEnvironment
    from markupsafe import escape

    class Sandbox(ImmutableSandboxedEnvironment):
        def call(self, context: "Context", called: Any, /, *args: Any, **values: Any) -> Any:
            """What a macro of a text template says is text in an HTML template too: Jinja would
            take it for markup there (decision 0022).
            """
            result = super().call(context, called, *args, **values)
            is_text = isinstance(called, Macro) and not called._default_autoescape  # noqa: SLF001
            return escape(str(result)) if is_text and context.eval_ctx.autoescape else result

    class Unknown(StrictUndefined):
        @property
        def _undefined_message(self) -> str:
            """What is missing, by its name alone; of a file of words by both."""
            owner, name = self._undefined_obj, self._undefined_name
            prefix = f"{owner.__name__} has no macro " if isinstance(owner, TemplateModule) else ""
            return f"{prefix}{name}"

    jinja_environment = Sandbox(
        loader=loader,
        undefined=Unknown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=lambda name: name is not None and name.endswith(".html"),
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n"],
    )
    jinja_environment.policies["ext.i18n.trimmed"] = True  # a sentence may go over several lines
    jinja_environment.tests["none"] = lambda value: not value and value is None  # Jinja's own lets Unknown pass
    jinja_environment.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
    return jinja_environment


def _locate_error(error: Exception, name: str) -> tuple[str, int, str]:
    """The innermost template that an error came by, its line, and what is wrong, without values."""
    line, literals, trace = 0, (), error.__traceback__
    while trace is not None:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            name, line = template.name, template.get_corresponding_lineno(trace.tb_lineno)
            literals = trace.tb_frame.f_code.co_consts
        trace = trace.tb_next
    problem, message = type(error).__name__, str(getattr(error, "message", ""))
    if problem == "UndefinedError" and (message in literals or " has no macro " in message):
        problem += f": {message}"  # written so in the template: not a value
    return name, line, problem


def _template_fault(name: str, line: int, problem: str) -> OurFault:
    where = f"{name}, line {line}" if line else name
    return OurFault("template/broken", f"template {where}: {problem}")
