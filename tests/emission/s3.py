"""A server that speaks S3, in a process of its own on this machine, which checks credentials.

It refuses the second part of a large file whose name holds "in-part".
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote

SERVER = """
import json, logging, sys, threading, urllib.request
import boto3
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

logging.getLogger("werkzeug").setLevel(logging.ERROR)
store = DomainDispatcherApplication(create_backend_app)
def hindering(request, start):
    if "partNumber=2" in request.get("QUERY_STRING", "") and "in-part" in request["PATH_INFO"]:
        request["wsgi.input"].read(int(request.get("CONTENT_LENGTH") or 0))
        start("403 Forbidden", [("Content-Type", "application/xml")])
        return [b"<Error><Code>AccessDenied</Code><Message>not this part</Message></Error>"]
    return store(request, start)
server = make_server("127.0.0.1", 0, hindering, threaded=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
host, port = "127.0.0.1", server.port
any_one = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
s3, iam = (boto3.client(name, endpoint_url=f"http://{host}:{port}", **any_one) for name in ("s3", "iam"))
s3.create_bucket(Bucket="bucket")
keys = {}
for user, statements in json.loads(sys.argv[1]).items():
    iam.create_user(UserName=user)
    policy = json.dumps({"Version": "2012-10-17", "Statement": statements})
    iam.put_user_policy(UserName=user, PolicyName="all", PolicyDocument=policy)
    made = iam.create_access_key(UserName=user)["AccessKey"]
    keys[user] = [made["AccessKeyId"], made["SecretAccessKey"]]
plain = {"Content-Type": "text/plain"}
reset = urllib.request.Request(f"http://{host}:{port}/moto-api/reset-auth", b"0", plain)
urllib.request.urlopen(reset).read()
print(json.dumps({"port": port, "keys": keys}), flush=True)
sys.stdin.read()
"""

READ = {"Effect": "Allow", "Action": ["s3:ListBucket", "s3:GetObject"], "Resource": "*"}
ALL = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
DENY = {"Effect": "Deny", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::bucket/*/targets/*"}
BLIND = {"Effect": "Deny", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::bucket/*/targets/*"}
USERS = {
    "writer": [ALL],
    "reader": [READ],
    "hindered": [ALL, DENY],
    "blinded": [READ, BLIND],
}


@dataclass(frozen=True)
class Store:
    """The server: its port, and what each user signs with."""

    port: int
    keys: dict[str, tuple[str, str]]

    def uri(self, name: str, user: str = "writer", bucket: str = "bucket", secret: str = "") -> str:
        """The URI of a folder, with all that is needed to open it."""
        key, own = self.keys[user]
        options = f"scheme=http&endpoint_override=127.0.0.1:{self.port}&region=us-east-1"
        return f"s3://{key}:{quote(secret or own, safe='')}@{bucket}/{name}?{options}"

    @property
    def environment(self) -> dict[str, str]:
        """The same for the writer, as an environment."""
        key, secret = self.keys["writer"]
        return {
            "AWS_ACCESS_KEY_ID": key,
            "AWS_SECRET_ACCESS_KEY": secret,
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
        }


@contextmanager
def served() -> Iterator[Store]:
    """A server with an empty bucket of the name `bucket`."""
    line = [sys.executable, "-c", SERVER, json.dumps(USERS)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdin and running.stdout
        said = json.loads(running.stdout.readline())
        yield Store(said["port"], {user: (key, secret) for user, (key, secret) in said["keys"].items()})
        running.stdin.close()
