"""The default encoder, from the weight file to unit vectors and token states.

`weights` reads the file, `tokenizer` cuts text, `network` writes the ONNX graph,
`engine` runs it, `encoder` is what the rest of the service holds.
"""
