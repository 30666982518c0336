import type { IncomingMessage, ServerResponse } from 'node:http';
import { drawFace } from '../demo-data/draw-face.ts';

const PICTURE = /^\/faces\/(\d{1,4})-(\d{1,4})(-blurry)?\.svg$/;

/** Answers requests for faces of the demo data. Returns `false` for all other requests. */
export function answerFace(request: IncomingMessage, response: ServerResponse): boolean {
  const found = PICTURE.exec(request.url ?? '');
  if (found === null || request.method !== 'GET') return false;
  const [, person, picture, blurry] = found;
  response.writeHead(200, {
    'Content-Type': 'image/svg+xml',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'max-age=3600',
  });
  response.end(
    drawFace({ person: Number(person), picture: Number(picture), isBlurry: blurry !== undefined }),
  );
  return true;
}
