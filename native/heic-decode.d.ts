/** heic-decode 2.1 ships without types. */
declare module "heic-decode" {
  interface DecodedPixels {
    readonly width: number;
    readonly height: number;
    /** RGBA, 8 bits each. */
    readonly data: Uint8ClampedArray;
  }
  interface HeicImage {
    readonly width: number;
    readonly height: number;
    decode(): Promise<DecodedPixels>;
  }
  const heicDecode: {
    (input: { buffer: Uint8Array }): Promise<DecodedPixels>;
    /** Every top-level image of the file, undecoded. `dispose` frees their memory. */
    all(input: { buffer: Uint8Array }): Promise<HeicImage[] & { dispose(): void }>;
  };
  export = heicDecode;
}
