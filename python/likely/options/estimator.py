"""scikit-learn's contract, met without importing it."""

from __future__ import annotations

from typing import Any, Self

from likely.options.table import OPTIONS, check_options


class Estimator:
    """Options as attributes, `get_params` and `set_params`, and the tags scikit-learn asks for."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in OPTIONS:
            OPTIONS[name].check(value)
            super().__setattr__("_settled", None)
            super().__setattr__("_settled_analyzer", None)
        super().__setattr__(name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options and their values.

        Parameters
        ----------
        deep : bool
            Accepted as scikit-learn passes it; options hold no estimators, so both answers are the same.
        """
        del deep
        return {name: getattr(self, name) for name in OPTIONS}

    def set_params(self, **options: Any) -> Self:
        """Change some options; all are checked before any is set."""
        check_options(options)
        for name, value in options.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        default = {name: option.default for name, option in OPTIONS.items()}
        changed = [f"{name}={value!r}" for name, value in self.get_params().items() if value != default[name]]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn calls this, so it is there to import.
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(one_d_array=True, two_d_array=False, string=True),
        )
