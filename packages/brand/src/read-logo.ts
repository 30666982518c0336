import { realpathSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { readBoundedFile, textOf } from './read-bounded-file.ts';

export interface Logo {
  bytes: Buffer;
  contentType: 'image/svg+xml' | 'image/png';
}

/** Only from the folder of the brand file. A string says what is wrong; mail programs show no SVG. */
export function readLogo(folder: string, name: string, forMails = false): Logo | string {
  const contentType = TYPES[extname(name)];
  if (!FILE_NAME.test(name) || contentType === undefined || (forMails && contentType !== 'image/png')) {
    const kinds = forMails ? 'a .png' : 'an .svg or .png';
    return `must be the name of ${kinds} file beside the brand file, without a folder`;
  }
  const path = join(folder, name);
  if (leadsOut(folder, path)) return 'leads out of the folder of the brand file';
  const file = readBoundedFile(path, forMails ? MAIL_LOGO_BYTES_MAX : LOGO_BYTES_MAX);
  if (file.kind === 'fault') return file.fault;
  const fault = contentType === 'image/png' ? faultOfPng(file.bytes) : faultOfSvg(file.bytes);
  return fault ?? { bytes: file.bytes, contentType };
}

const TYPES: Record<string, Logo['contentType']> = { '.svg': 'image/svg+xml', '.png': 'image/png' };
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const LOGO_BYTES_MAX = 256 * 1024;
/** Small, because every mail contains it. */
export const MAIL_LOGO_BYTES_MAX = 32 * 1024;

/** Through a symbolic link. Links within the folder are allowed, because Kubernetes mounts files as such. */
function leadsOut(folder: string, path: string): boolean {
  try {
    return !realpathSync(path).startsWith(realpathSync(folder) + sep);
  } catch {
    return false; // missing: reported when it is read
  }
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function faultOfPng(bytes: Buffer): string | undefined {
  const isPng = bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE) && bytes.length >= HEADER_END;
  const { width, height } = isPng ? sizeOfPng(bytes) : { width: 0, height: 0 };
  return width > 0 && height > 0 ? undefined : 'is not a PNG picture';
}

/** The signature, followed by a chunk whose content begins with width and height (PNG, sections 5.2 and 11.2.1). */
const HEADER_END = 24;

/** The size of an image that was read by `readLogo`. */
export function sizeOfPng(bytes: Buffer): { width: number; height: number } {
  return { width: bytes.readUInt32BE(HEADER_END - 8), height: bytes.readUInt32BE(HEADER_END - 4) };
}

/** As an image of a page it runs no scripts; opened directly, this check and the response headers make it safe. */
function faultOfSvg(bytes: Buffer): string | undefined {
  const text = textOf(bytes);
  if (text === undefined || !/<svg[\s>]/i.test(text.slice(0, HEAD_LENGTH_MAX)))
    return 'is not an SVG picture';
  if (ACTIVE.test(text))
    return 'must be a picture alone: no scripts, event handlers, foreign objects or entities';
  if (OUTSIDE.test(text)) return 'must not load anything from elsewhere';
  return undefined;
}

/** Editors write a comment and a document type before the image. */
const HEAD_LENGTH_MAX = 2000;
const ACTIVE =
  /<(?:[\w-]+:)?(?:script|foreignobject|iframe|embed|object)\b|\son[a-z]+\s*=|<!entity|javascript:/i;
const OUTSIDE = /\b(?:href|src)\s*=["'\s]*(?!["'\s#]|data:image\/)|@import|url\(["'\s]*(?!["'\s#]|data:)/i;
