// The functions of the library that we use. The build puts them into a file of their own (see `webauthnFunctions`).
export { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
export { cose, decodeAttestationObject, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';
