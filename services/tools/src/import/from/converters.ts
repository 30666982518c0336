import { auth0 } from './auth0.ts';
import { betterAuth } from './better-auth.ts';
import { cognito } from './cognito.ts';
import type { Converter } from './conversion.ts';
import { django } from './django.ts';
import { firebase } from './firebase.ts';
import { keycloak } from './keycloak.ts';
import { supabase } from './supabase.ts';

/** The systems whose exports can be imported, by the value of `--from`. */
export const CONVERTERS: ReadonlyMap<string, Converter> = new Map([
  ['keycloak', keycloak],
  ['auth0', auth0],
  ['firebase', firebase],
  ['supabase', supabase],
  ['cognito', cognito],
  ['django', django],
  ['better-auth', betterAuth],
]);
