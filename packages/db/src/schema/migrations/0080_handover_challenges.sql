-- The S256 challenge (RFC 7636) of an app's server, which must show the verifier to exchange the code. Null: none is asked for.
alter table handover_code add column code_challenge text;
