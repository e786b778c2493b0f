"""Vectors of texts by Python's onnxruntime and tokenizers.

    python reference.py MODEL.onnx TOKENIZER.json MAX_TOKENS mean|cls < texts.json > vectors.f32

One text a run, nothing shared with the product's code. Writes little-endian float32 rows.
"""

import json
import sys

import numpy
import onnxruntime
from tokenizers import Tokenizer

weights, vocabulary, longest, pooling = sys.argv[1:5]
tokenizer = Tokenizer.from_file(vocabulary)
tokenizer.no_padding()
tokenizer.enable_truncation(int(longest))
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
names = {given.name for given in session.get_inputs()}

for text in json.load(sys.stdin):
    found = tokenizer.encode(text)
    whole = {
        "input_ids": found.ids,
        "attention_mask": found.attention_mask,
        "token_type_ids": found.type_ids,
    }
    feeds = {name: numpy.array([row], numpy.int64) for name, row in whole.items() if name in names}
    states = session.run(None, feeds)[0][0]
    vector = states[0] if pooling == "cls" else states.mean(axis=0, dtype=numpy.float64)
    vector = vector / max(numpy.linalg.norm(vector), 1e-12)
    sys.stdout.buffer.write(vector.astype("<f4").tobytes())
