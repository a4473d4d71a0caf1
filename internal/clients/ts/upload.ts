// What programs with large files do, with a client whose types are generated from the OpenAPI
// document and the library for the files themselves: make reality data, ask for the address of
// their bytes, upload a file in blocks, and read it back.
//
//	node dist/upload.js http://localhost:8080 token twinId
import { createHash } from "node:crypto";
import { AnonymousCredential, ContainerClient } from "@azure/storage-blob";
import createClient from "openapi-fetch";
import type { paths } from "./openapi.js";

const [url, token, twinId] = process.argv.slice(2) as [string, string, string];
const api = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
const sha = (content: Buffer) => createHash("sha256").update(content).digest("hex");

const made = await api.POST("/reality-management/reality-data", {
  body: { twinId, displayName: "Scan", type: "LAS", authoring: true },
});
if (!made.data) throw new Error(`no reality data: ${made.error.error.message}`);
const realityDataId = made.data.realityData.id;

async function container(access: "readaccess" | "writeaccess"): Promise<ContainerClient> {
  const { data, error } = await api.GET(`/reality-management/reality-data/{realityDataId}/${access}`, {
    params: { path: { realityDataId } },
  });
  if (!data) throw new Error(`no address: ${error.error.message}`);
  return new ContainerClient(data._links.containerUrl.href, new AnonymousCredential());
}

const content = Buffer.alloc(9_437_184, "a file of a scan ");
const file = (await container("writeaccess")).getBlockBlobClient("scans/1.las");
await file.uploadData(content, {
  blockSize: 1 << 20,
  maxSingleShotSize: 1 << 20,
  concurrency: 5,
  blobHTTPHeaders: { blobContentType: "application/vnd.las" },
  metadata: { crs: "EPSG:25832" },
});
const read = (await container("readaccess")).getBlockBlobClient("scans/1.las");
const { metadata, contentType } = await read.getProperties();
const blocks = (await read.getBlockList("committed")).committedBlocks?.length;
const back = await read.downloadToBuffer();
if (sha(back) !== sha(content)) throw new Error("other bytes came back");

// What is complete is not written any more, and its size is known.
const complete = await api.PATCH("/reality-management/reality-data/{realityDataId}", {
  params: { path: { realityDataId } },
  body: { authoring: false },
});
if (!complete.data) throw new Error(`not complete: ${complete.error.error.message}`);
console.log(back.length, "bytes in", blocks, "blocks,", contentType, metadata?.["crs"], complete.data.realityData.size, "kB");
