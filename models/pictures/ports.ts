import type { PictureText } from "#contract";
import type { Raster } from "#native/raster.ts";

/** Models that look at pictures. Each is opened by a function of this room and lives in a worker thread. */

/** Text of a picture as the store keeps it, without the model's name. */
export type PictureReading = Omit<PictureText, "model">;

/** Tags above the model's threshold, best first, and the picture's features (unit length). */
export interface PictureLook {
  readonly tags: readonly { label: string; score: number }[];
  readonly features: Float32Array;
}

interface OpenModel {
  /** Key of everything that is derived with it (`derivedBy` in the catalogue). */
  readonly modelId: string;
  dispose(): Promise<void>;
}

export interface PictureReader extends OpenModel {
  read(raster: Raster): Promise<PictureReading>;
}

export interface PictureTagger extends OpenModel {
  readonly dimension: number;
  look(raster: Raster): Promise<PictureLook>;
}

/** Two towers of one space; each is opened by itself, in the thread where it is needed. */
export interface PictureTower extends OpenModel {
  readonly dimension: number;
  /** Unit vector. */
  embed(raster: Raster): Promise<Float32Array>;
}

export interface CaptionTower extends OpenModel {
  readonly dimension: number;
  /** Unit vectors in order. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}
