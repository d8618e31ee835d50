"""In which order jobs stand: rule 6 of docs/simulation-rules.md and the glossary's orders."""

import ast
import math
import operator

DAY = 86400


def features(job, now, p=None):
    """q, p̃, wait, ratio, expansion factor, area, in the order of a mixed order's weights;
    p stands for the requested time where orders go by predictions."""
    q, p, wait = job.wide(), p or job.requested, now - job.submit
    return [q, p, wait, p / q, (wait + p) / p, q * p]


def scaled(job, now, scales, p):
    """The features of a mixed order, each divided by its scale; minus the submission for the wait."""
    q, wait = job.wide(), now - job.submit
    return [q / scales[0], p / scales[1], -job.submit / scales[2], p / (q * scales[3]), (wait + p) / (p * scales[4]), q * p / scales[5]]


_PURE = {
    "fcfs": lambda f: f[2], "lcfs": lambda f: -f[2], "spf": lambda f: -f[1], "lpf": lambda f: f[1],
    "sqf": lambda f: -f[0], "lqf": lambda f: f[0], "saf": lambda f: -f[5], "laf": lambda f: f[5],
    "sexp": lambda f: -f[4], "lexp": lambda f: f[4], "srf": lambda f: -f[3], "lrf": lambda f: f[3],
}


def score(order, params, prefix, processors):
    """A function of a job and the time: who has more stands first."""
    time = (lambda job: job.foretold) if params.get("orders-by") == "prediction" else (lambda job: job.requested)
    if order in _PURE:
        return lambda job, now: _PURE[order](features(job, now, time(job)))
    if order == "mixed":
        weights, norm = params[prefix + "weights"], sum_of(abs(w) for w in params[prefix + "weights"])
        if abs(norm - 1) > 1e-9:
            largest = max(abs(w) for w in weights)
            norm = sum_of(abs(w / largest) for w in weights)
            weights = [w / largest / norm for w in weights]
        scales = [processors, DAY, DAY, DAY, 1, processors * DAY]
        given = params.get(prefix + "scales") or []
        scales[:len(given)] = given
        return lambda job, now: sum_of(w * x for w, x in zip(weights, scaled(job, now, scales, time(job))))
    formula = ast.parse(params[prefix + "formula"], mode="eval").body
    return lambda job, now: value(formula, job, now)


def sum_of(terms):
    total = 0.0
    for term in terms:
        total += term
    return total


_SIGNS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_CALLS = {"abs": abs, "sqrt": math.sqrt, "min": min, "max": max}


def value(node, job, now):
    if isinstance(node, ast.Constant):
        return float(node.value)
    if isinstance(node, ast.Name):
        q, p, wait, rho, exp, a = features(job, now)
        return float({"q": q, "p": p, "wait": wait, "rho": rho, "exp": exp, "a": a, "submit": job.submit,
                      "due": 10**15 if job.due is None else job.due, "user": job.user, "foretold": getattr(job, "foretold", 0)}[node.id])
    if isinstance(node, ast.UnaryOp):
        return -value(node.operand, job, now)
    if isinstance(node, ast.Call):
        return _CALLS[node.func.id](*[value(one, job, now) for one in node.args])
    return _SIGNS[type(node.op)](value(node.left, job, now), value(node.right, job, now))


def line(jobs, now, score, newest=False, threshold=None):
    """Jobs in order: those beyond the threshold by submission, then by score; ties go to
    the oldest, or to the newest."""
    sign = -1 if newest else 1
    tie = lambda job: tuple(sign * x for x in job.place)
    late = [job for job in jobs if threshold is not None and now - job.submit > threshold]
    rest = [job for job in jobs if job not in late]
    return sorted(late, key=lambda job: (job.submit,) + tie(job)) + sorted(rest, key=lambda job: (-score(job, now),) + tie(job))
