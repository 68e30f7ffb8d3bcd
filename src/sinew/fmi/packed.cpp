#include "sinew/fmi/packed.h"

#include "sinew/fmi/bytes.h"

namespace sinew::fmi {
namespace {

constexpr std::string_view mesh_head = "sinew mesh 1\n", policy_head = "sinew policy 1\n";
constexpr std::uint64_t most_layers = 1000;

}  // namespace

std::string pack(const imports::MeshData& mesh) {
  BytesWriter out;
  std::vector<double> vertices;
  std::vector<std::int32_t> triangles;
  for (const Vec3d& v : mesh.vertices)
    for (int i = 0; i < 3; i++) vertices.push_back(v[i]);
  for (const auto& t : mesh.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
  out.put(mesh_head);
  out.put(vertices);
  out.put(triangles);
  return std::move(out.bytes);
}

std::string pack(const std::vector<PolicyLayer>& layers) {
  BytesWriter out;
  out.put(policy_head);
  out.put(std::uint64_t(layers.size()));
  for (const PolicyLayer& layer : layers) {
    out.put(std::int32_t(layer.inputs));
    out.put(std::int32_t(layer.outputs));
    out.put(layer.W);
    out.put(layer.b);
  }
  return std::move(out.bytes);
}

imports::MeshData unpack_mesh(std::string_view bytes) {
  BytesReader in(bytes);
  std::vector<double> vertices;
  std::vector<std::int32_t> triangles;
  in.expect(mesh_head, "this is no mesh");
  in.take(vertices);
  in.take(triangles);
  in.finish();
  if (vertices.size() % 3 != 0 || triangles.size() % 3 != 0) throw BytesError("numbers are missing");
  imports::MeshData mesh;
  for (std::size_t i = 0; i < vertices.size(); i += 3)
    mesh.vertices.push_back({vertices[i], vertices[i + 1], vertices[i + 2]});
  for (const std::int32_t corner : triangles)
    if (corner < 0 || std::size_t(corner) >= mesh.vertices.size()) throw BytesError("a corner is no vertex");
  for (std::size_t i = 0; i < triangles.size(); i += 3)
    mesh.triangles.push_back({triangles[i], triangles[i + 1], triangles[i + 2]});
  return mesh;
}

std::vector<PolicyLayer> unpack_policy(std::string_view bytes) {
  BytesReader in(bytes);
  std::uint64_t n = 0;
  in.expect(policy_head, "this is no policy");
  in.take(n);
  if (n == 0 || n > most_layers) throw BytesError("it has no layers, or too many");
  std::vector<PolicyLayer> layers(n);
  for (PolicyLayer& layer : layers) {
    std::int32_t inputs = 0, outputs = 0;
    in.take(inputs);
    in.take(outputs);
    in.take(layer.W);
    in.take(layer.b);
    const bool fits = inputs > 0 && outputs > 0 && layer.b.size() == std::size_t(outputs) &&
                      layer.W.size() == std::size_t(inputs) * std::size_t(outputs);
    if (!fits) throw BytesError("a layer has not as many numbers as it should");
    layer.inputs = inputs;
    layer.outputs = outputs;
  }
  in.finish();
  return layers;
}

}  // namespace sinew::fmi
