"""An application with Authlib. It gets commands as lines of JSON, and answers each with a line of JSON."""

import json
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken


class Application:
    def __init__(self, issuer, client_id, client_secret, redirect_uri):
        self.metadata = requests.get(issuer + "/.well-known/openid-configuration").json()
        self.session = OAuth2Session(
            client_id,
            client_secret,
            scope="openid email offline_access",
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
        )

    def begin(self):
        self.verifier, self.nonce = generate_token(48), generate_token(20)
        url, self.state = self.session.create_authorization_url(
            self.metadata["authorization_endpoint"], code_verifier=self.verifier, nonce=self.nonce
        )
        return url

    def finish(self, url):
        token = self.session.fetch_token(
            self.metadata["token_endpoint"],
            authorization_response=url,
            state=self.state,
            code_verifier=self.verifier,
        )
        keys = JsonWebKey.import_key_set(requests.get(self.metadata["jwks_uri"]).json())
        claims = jwt.decode(
            token["id_token"],
            keys,
            claims_cls=CodeIDToken,
            claims_options={
                "iss": {"values": [self.metadata["issuer"]]},
                "aud": {"values": [self.session.client_id]},
            },
            claims_params={"nonce": self.nonce, "access_token": token["access_token"]},
        )
        claims.validate()
        self.id_token = token["id_token"]
        return {"email": claims["email"], "sid": claims["sid"]}

    def userinfo(self):
        answer = self.session.get(self.metadata["userinfo_endpoint"])
        answer.raise_for_status()
        return answer.json()["email"]

    def refresh(self):
        self.session.refresh_token(self.metadata["token_endpoint"], self.session.token["refresh_token"])
        return True

    def logout_url(self, target):
        query = {"id_token_hint": self.id_token, "post_logout_redirect_uri": target}
        return requests.Request("GET", self.metadata["end_session_endpoint"], params=query).prepare().url


application = Application(*json.loads(sys.stdin.readline()))
for line in sys.stdin:
    name, *values = json.loads(line)
    try:
        answer = {"value": getattr(application, name)(*values)}
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
