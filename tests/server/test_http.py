"""Every route of a real server: what it answers, and what it refuses, and how it ends."""

from __future__ import annotations

import fcntl
import hashlib
import json
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import likely
import pytest
from likely import NaiveBayes
from likely.server.page import files

from .served import Served, read_all, serving, until


def test_a_prediction_is_that_of_the_library(shared: Served) -> None:
    answer = shared.post("/predict", text="a dull film", top=5)
    assert answer.status_code == 200
    found = answer.json()["predictions"][0]
    assert found["label"] == "neg"
    assert found["known"] == 1.0
    assert [each["label"] for each in found["labels"]] == ["neg", "pos"]
    assert found["probability"] == found["labels"][0]["probability"]
    assert sum(each["probability"] for each in found["labels"]) == pytest.approx(1)


def test_many_texts_are_answered_in_order(shared: Served) -> None:
    texts = ["dull", "good fun", "unheard of", ""] * 200
    found = shared.post("/predict", texts=texts).json()["predictions"]
    assert [each["label"] for each in found[:2]] == ["neg", "pos"]
    assert [each["known"] for each in found] == [1.0, 1.0, 0.0, 0.0] * 200
    one_by_one = [shared.post("/predict", text=text).json()["predictions"][0] for text in texts[:4]]
    assert found[:4] == one_by_one


def test_many_requests_at_once_get_their_own_answers(shared: Served) -> None:
    texts = ["good " * number for number in range(40)]
    expected = [each["probability"] for each in shared.post("/predict", texts=texts).json()["predictions"]]
    found: dict[int, float] = {}

    def ask(at: int) -> None:
        found[at] = shared.post("/predict", text=texts[at]).json()["predictions"][0]["probability"]

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[at] for at in range(40)] == expected


def test_the_model_abstains_if_asked_to(shared: Served) -> None:
    found = shared.post("/predict", text="unheard of", abstain=0.9).json()["predictions"][0]
    assert found["label"] is None
    assert found["labels"][0]["probability"] == found["probability"] == 0.5


def test_an_explanation_adds_up(shared: Served) -> None:
    found = shared.post("/explain", text="good, dull Ḟilm").json()
    place = found["classes"].index(found["label"])
    total = found["log_prior"][place] + sum(term["contribution"][place] for term in found["terms"])
    assert total == pytest.approx(found["scores"][place])
    assert [term["spans"] for term in found["terms"]] == [[[0, 4]], [[6, 10]]]


def test_an_explanation_has_the_best_classes_and_terms(tmp_path: Path) -> None:
    path, words = tmp_path / "many.likely", [f"word{at}" for at in range(40)]
    model = NaiveBayes().fit([f"{word} common" for word in words], [f"class{at}" for at in range(40)])
    model.save(path)
    text = "word7 word3 common word3 word9 unheard"
    with serving(path) as server:
        found = server.post("/explain", text=text).json()
        assert len(found["classes"]) == len(found["terms"][0]["likelihood"]) == len(found["posterior"]) == 10
        assert {"class3", "class7", "class9"} <= set(found["classes"])
        assert found["label"] == "class3"
        few = server.post("/explain", text=text, classes=2, terms=2).json()
    whole = model.explain(text)
    assert few["classes"] == ["class3", str(whole.rival)]
    assert [term["term"] for term in few["terms"]] == ["word7", "word3"]
    assert few["posterior"] == [whole.posterior[label] for label in few["classes"]]
    assert few["terms"][1]["contribution"] == [whole.terms[1].contribution[label] for label in few["classes"]]


def test_what_is_learned_changes_the_next_prediction(served: Served) -> None:
    before = served.post("/predict", text="quite zany").json()["predictions"][0]
    learned = served.post("/learn", corrections=[{"text": "quite zany", "label": "pos", "source": "ann"}]).json()
    assert [each["what"] for each in learned["outcomes"]] == ["learned"]
    assert learned["durability"] == "sync"
    after = served.post("/predict", text="quite zany").json()["predictions"][0]
    assert (before["known"], after["known"], after["label"]) == (0.0, 1.0, "pos")
    again = served.post("/learn", corrections=[{"text": "quite zany", "label": "pos"}]).json()["outcomes"][0]
    moved = served.post("/learn", corrections=[{"text": "quite zany", "label": "neg"}]).json()["outcomes"][0]
    assert (again["what"], moved["what"], moved["before"]) == ("known", "moved", "pos")
    undone = served.post("/undo").json()["outcomes"][0]
    assert (undone["what"], undone["label"]) == ("undone", "pos")
    digest = hashlib.sha256(b"quite zany").hexdigest()
    forgotten = served.post("/forget", digest=digest).json()["outcomes"][0]
    assert (forgotten["what"], forgotten["before"]) == ("forgotten", "pos")
    assert served.post("/predict", text="quite zany").json()["predictions"][0] == before
    assert served.post("/forget", text="quite zany").status_code == 404
    entries = served.get("/history").json()["entries"]
    assert [each["seq"] for each in entries] == sorted((each["seq"] for each in entries), reverse=True)
    assert {each["digest"] for each in entries} == {digest}
    assert {each["text"] for each in entries} == {None}
    older = served.get(f"/history?before={entries[0]['seq']}&limit=1").json()["entries"]
    assert older == entries[1:2]


def test_an_idempotency_key_makes_a_correction_once(served: Served) -> None:
    body = {"corrections": [{"text": "one", "label": "pos"}, {"text": "two", "label": "neg"}]}
    with served.client() as client:
        first, second = (client.post("/learn", json=body, headers={"idempotency-key": "k"}).json() for _ in "12")
        assert first == second
        other = client.post("/undo", json={}, headers={"idempotency-key": "k"})
        assert other.status_code == 409
        third = {"text": "three", "label": "neg"}
        for fewer_or_more in (body["corrections"][:1], [*body["corrections"], third]):
            again = client.post("/learn", json={"corrections": fewer_or_more}, headers={"idempotency-key": "k"})
            assert again.status_code == 409
    assert len(served.get("/history").json()["entries"]) == 2


def test_all_of_a_source_is_forgotten_once_and_again(served: Served) -> None:
    served.post("/learn", text="one", label="pos", source="ann")
    answers = [served.post("/forget", source="ann") for _ in "12"]
    assert [(each.status_code, len(each.json()["outcomes"])) for each in answers] == [(200, 1), (200, 0)]


def test_a_held_store_holds_up_neither_predictions_nor_readers(model_file: Path) -> None:
    store = model_file.with_suffix(".store")
    with serving(model_file, store) as server, ThreadPoolExecutor(1) as beside:
        server.post("/learn", text="one", label="pos")
        with open(f"{store}-lock", "rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            waiting = beside.submit(server.post, "/learn", text="two", label="pos")
            until(lambda: server.in_flight() == 1)
            assert server.post("/predict", texts=["dull " * 5_000] * 10).status_code == 200
            assert len(server.get("/history").json()["entries"]) == 1
            assert not waiting.done()
        assert waiting.result().status_code == 200


def test_a_store_that_cannot_be_written_to_is_told_without_its_place(model_file: Path) -> None:
    store = model_file.with_suffix(".store")
    with serving(model_file, store) as server:
        server.post("/learn", text="one", label="pos")
        server.end()
    store.with_name(f"{store.name}-lock").unlink()
    store.with_name(f"{store.name}-lock").mkdir()  # root may write anywhere
    with serving(model_file, store) as server:
        found = server.get("/readyz")
        assert (found.status_code, found.json()["status"]) == (200, "degraded")
        assert str(store.parent) not in found.text
        assert str(store) in server.get("/model").json()["learning"]["why_not"]


def test_corrections_are_learned_all_or_none(served: Served) -> None:
    long = "x" * 300
    answer = served.post("/learn", corrections=[{"text": "fine", "label": "pos"}, {"text": "bad", "label": long}])
    assert answer.status_code == 422
    assert served.get("/history").json()["entries"] == []


def test_what_a_server_without_a_store_refuses(model_file: Path) -> None:
    with serving(model_file) as server:
        assert server.post("/predict", text="dull").json()["predictions"][0]["label"] == "neg"
        refused = server.post("/learn", corrections=[{"text": "a", "label": "pos"}])
        assert refused.status_code == 503
        assert "store" in refused.json()["detail"]
        assert server.get("/readyz").json() == {"status": "ok", "why": None}
        assert server.get("/model").json()["learning"]["can_learn"] is False


def test_the_model_its_classes_and_its_terms(shared: Served) -> None:
    about = shared.get("/model").json()
    assert (about["name"], about["version"]) == ("reviews", likely.__version__)
    assert about["options"]["variant"] == "multinomial"
    classes = shared.get("/classes?words=2").json()["classes"]
    assert [each["label"] for each in classes] == ["neg", "pos"]
    assert [each["term"] for each in classes[1]["words"]] == ["fun", "good"]
    term = shared.get("/terms/good").json()
    assert [(each["label"], each["count"]) for each in term["classes"]] == [("neg", 0), ("pos", 2)]
    assert shared.get("/terms/un%2Fheard").json() == {**shared.get("/terms/un/heard").json(), "known": False}


def test_metrics_count_what_has_happened(served: Served) -> None:
    served.post("/predict", texts=["dull", "good fun"])
    served.post("/learn", corrections=[{"text": "zany", "label": "pos"}])
    served.get("/nowhere")
    lines = served.get("/metrics").text.splitlines()
    assert 'likely_requests_total{code="200",route="/predict"} 1.0' in lines
    assert 'likely_requests_total{code="404",route="(none)"} 1.0' in lines
    assert 'likely_predictions_total{class="neg",kind="class"} 1.0' in lines
    assert 'likely_corrections_total{what="learned"} 1.0' in lines
    assert "likely_terms_total 3.0" in lines
    assert "likely_unknown_terms_total 0.0" in lines
    assert "likely_documents 5.0" in lines


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/terms/a%2Fb%0Ac", 200),
        ("/terms/a%0A", 200),
        ("/terms/", 404),
        ("/model/", 404),
        ("/model%0A", 404),
        ("/MODEL", 404),
        ("//model", 404),
        ("/page/main.js%0A", 404),
        ("/page/../index.html", 404),
        ("/page/docs.html", 404),
    ],
)
def test_only_whole_paths_are_there(shared: Served, path: str, status: int) -> None:
    for method in ("GET", "HEAD"):
        with socket.create_connection(("127.0.0.1", shared.port), timeout=20) as connection:
            connection.sendall(f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
            answer = read_all(connection)
        assert answer.startswith(f"HTTP/1.1 {status} ".encode())
        assert (answer.partition(b"\r\n\r\n")[2] == b"") == (method == "HEAD")


def test_other_methods_are_told_which_are_allowed(shared: Served) -> None:
    for path, method, allowed in (
        ("/predict", "GET", "POST"),
        ("/model", "DELETE", "GET, HEAD"),
        ("/", "POST", "GET, HEAD"),
    ):
        with shared.client() as client:
            answer = client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


@pytest.mark.parametrize(
    ("given", "is_taken"), [("a.B-c_9", True), ("x" * 64, True), ("x" * 65, False), ("a b", False)]
)
def test_only_a_plain_request_id_is_taken_over(shared: Served, given: str, is_taken: bool) -> None:
    with shared.client() as client:
        found = [client.get("/livez", headers={"x-request-id": given}).headers["x-request-id"] for _ in "12"]
    assert (found == [given, given]) == is_taken
    assert is_taken or found[0] != found[1]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/predict", {}, 422),
        ("/predict", {"text": "a", "texts": ["b"]}, 422),
        ("/predict", {"text": 5}, 422),
        ("/predict", {"txt": "a"}, 422),
        ("/predict", {"texts": []}, 422),
        ("/predict", {"texts": ["a"] * 10_001}, 422),
        ("/predict", {"text": "a" * 1_000_001}, 422),
        ("/predict", {"text": "a", "top": 0}, 422),
        ("/learn", {"corrections": [{"text": "a"}]}, 422),
        ("/learn", {"corrections": [{"text": "a", "label": ["b"]}]}, 422),
        ("/learn", {"corrections": [{"text": "a", "labels": ["b"]}]}, 422),
        ("/learn", {"corrections": [{"text": "a", "label": 5}]}, 422),
        ("/learn", {"corrections": [{"text": "a", "label": ""}]}, 422),
        ("/learn", {"corrections": [{"text": "a", "label": "b" * 257}]}, 422),
        ("/learn", {"text": "a", "label": "pos", "source": "b" * 257}, 422),
        ("/explain", {"text": "a", "classes": 51}, 422),
        ("/forget", {}, 422),
        ("/forget", {"digest": "xyz"}, 422),
        ("/forget", {"text": "never learned"}, 404),
        ("/undo", {"seq": 999}, 404),
        ("/undo", {"seq": 2**70}, 422),
        ("/learn", {"corrections": [{"text": "a", "label": 2**70}]}, 422),
        ("/model", {}, 405),
        ("/nowhere", {}, 404),
    ],
)
def test_what_is_refused_is_a_problem_with_an_id(shared: Served, path: str, body: object, status: int) -> None:
    with shared.client() as client:
        answer = client.post(path, json=body, headers={"x-request-id": "mine-1"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert (found["status"], found["request_id"]) == (status, "mine-1")
    assert found["detail"]
    assert "Traceback" not in answer.text


def test_the_page_is_served_with_its_policy(shared: Served) -> None:
    for path, file in files().items():
        answer = shared.get(path)
        assert (answer.status_code, answer.content) == (200, bytes(file.body))
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
    docs = shared.get("/docs")
    assert "default-src 'none'" in docs.headers["content-security-policy"]
    assert "<script" not in docs.text


def test_texts_labels_and_terms_are_not_in_the_log(model_file: Path) -> None:
    with serving(model_file, model_file.with_suffix(".store"), logs_requests=True) as server:
        server.post("/predict", text="secret-text")
        server.post(
            "/learn", corrections=[{"text": "secret-text", "label": "secret-label", "source": "secret-source"}]
        )
        server.get("/terms/secret-term")
        server.get("/secret-path?secret-query=1")
        server.raw(b"GET /secret\x1b[31m HTTP/9.9\r\n\r\n")
        assert server.end() == 0
        log = server.log.read_text()
        assert "secret" not in log
        routes = [each["route"] for each in server.events() if each["event"] == "request"]
        assert routes == ["/predict", "/learn", "/terms/{term}", "(none)"]


def test_only_changes_and_failures_are_logged(model_file: Path) -> None:
    with serving(model_file, model_file.with_suffix(".store")) as server:
        server.post("/predict", text="dull")
        server.post("/learn", corrections=[{"text": "zany", "label": "pos"}])
        server.post("/learn", corrections=[])
        assert server.end() == 0
        found = [(each["route"], each["status"]) for each in server.events() if each["event"] == "request"]
    assert found == [("/learn", 200), ("/learn", 422)]


def test_sigterm_finishes_what_is_in_flight(model_file: Path) -> None:
    store = model_file.with_suffix(".store")
    with serving(model_file, store, drain=3.0) as server:
        server.post("/learn", corrections=[{"text": "zany", "label": "pos"}])
        body = json.dumps({"texts": ["dull " * 150_000] * 10}).encode()
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            head = "POST /predict HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            connection.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body[:-1])
            until(lambda: server.in_flight() == 1)
            server.process.send_signal(signal.SIGTERM)
            until(lambda: server.get("/readyz").status_code == 503)
            assert server.get("/livez").status_code == 200
            connection.sendall(body[-1:])
            answer = read_all(connection)
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        assert answer.count(b'"label":"neg"') == 20
        assert server.process.wait(20) == 0
        events = [each["event"] for each in server.events()]
        assert "draining" in events
        assert events[-1] == "ended"
    with serving(model_file, store) as server:
        learning = server.get("/model").json()["learning"]
        assert (learning["seq"], learning["folded_seq"]) == (1, 1)


def test_a_second_sigterm_ends_at_once(model_file: Path) -> None:
    with (
        serving(model_file, drain=600.0) as server,
        socket.create_connection(("127.0.0.1", server.port)) as connection,
    ):
        head = b"POST /predict HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        connection.sendall(head + b"content-length: 9\r\n\r\n")
        until(lambda: server.in_flight() == 1)
        server.process.send_signal(signal.SIGTERM)
        until(lambda: server.get("/readyz").status_code == 503)
        assert server.process.poll() is None
        assert server.end() == 128 + signal.SIGTERM


def test_a_taken_port_and_a_missing_token_are_told(model_file: Path) -> None:
    with serving(model_file) as server:
        with pytest.raises(AssertionError, match="cannot listen at"), serving(model_file, port=server.port):
            pass
        with pytest.raises(AssertionError, match="needs a token"), serving(model_file, host="0.0.0.0"):  # noqa: S104
            pass


def test_one_correction_needs_no_list(served: Served) -> None:
    assert served.post("/learn", text="zany", label="pos").json()["outcomes"][0]["what"] == "learned"
    for body in ({}, {"label": "pos"}, {"text": "a"}, {"text": "a", "label": "pos", "corrections": []}):
        assert served.post("/learn", **body).status_code == 422


def test_the_whole_interface_is_documented(shared: Served) -> None:
    paths = shared.get("/openapi.json").json()["paths"]
    for path, methods in paths.items():
        for method in ("get", "post"):
            with shared.client() as client:
                answer = client.request(method, path.replace("{name}", "reviews"))
            assert (answer.status_code == 405) == (method not in methods), (method, path)
