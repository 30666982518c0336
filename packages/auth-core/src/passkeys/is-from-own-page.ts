/** A page inside a frame of another site is not the page that the user believes to be on. */
export function isFromOwnPage({ response }: { response: { clientDataJSON: string } }): boolean {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString();
    const client: unknown = JSON.parse(text);
    return (
      typeof client === 'object' &&
      client !== null &&
      !('crossOrigin' in client && client.crossOrigin === true)
    );
  } catch {
    return false;
  }
}
