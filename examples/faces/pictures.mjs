import { drawFace } from './draw-face.mjs';

/**
 * Answers requests for drawn faces, `/faces/<person>-<picture>.svg`, with `-blurry` before the ending if one is. Returns
 * `false` for all other requests.
 */
export function answerPicture(request, response) {
  const found = /^\/faces\/(\d{1,4})-(\d{1,4})(-blurry)?\.svg$/.exec(request.url);
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
